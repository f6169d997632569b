"""Which language a text is in, and when that is a doubt."""

from __future__ import annotations

import pytest

from hoyle.document import Document, Meta, Source
from hoyle.languages import UNDETERMINED
from hoyle.languages.detection import detect_language
from support import gold
from support.shared import DOCUMENTS, raw_text


def findings(text: str, lang: str = ""):
    return list(
        detect_language(Document(Source("d", "d.txt", text, "", 0), Meta("d", lang=lang)), UNDETERMINED)
    )


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("whist-lexicon", "ru-petr1708"),
        ("quinze", "fr"),
        ("patience", "ru-petr1708"),
        ("bridge-laws", "ru"),
        ("preference", "ru"),
    ],
)
def test_the_editions(name, tag):
    (found,) = findings(gold.source(name).text)
    assert found.value == tag
    assert found.topic == "language"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_other_real_documents(name):
    (found,) = findings(raw_text(name))
    assert found.value == ("ru" if name == "ru16" else {"fr": "fr", "ru": "ru-petr1708"}[name[:2]])
    assert not found.doubt


@pytest.mark.parametrize(
    "text",
    [
        "A player who has once played a card may not take it up again; his adversaries may call upon him.",
        "Wer eine Karte ausgespielt hat, darf sie nicht wieder zurücknehmen.",
        "El jugador que ha jugado una carta no puede retirarla; si lo hace, los contrarios pueden obligarle.",
        "Lusor qui semel chartam posuit eam retrahere non potest; si fecerit, adversarii eum cogere possunt.",
        "Гравець, який уже поклав карту на стіл, не може взяти її назад; якщо він це зробить.",
        "Играч који је једном бацио карту не може да је узме назад; ако то учини, противници могу.",
        "12 – 34 . ?",
        "",
    ],
)
def test_other_languages_are_undetermined_and_a_doubt(text):
    (found,) = findings(text)
    assert (found.value, found.doubt) == ("und", True)


def test_old_orthography_without_its_letters_is_known_by_its_hard_signs():
    text = "Каждый игрокъ долженъ класть свою карту противъ себя, если противники смешаютъ его карту."
    (found,) = findings(text)
    assert found.value == "ru-petr1708"


def test_a_stated_language_is_only_contradicted():
    french = "Le joueur qui a crevé ne peut proposer ni accepter de composition avec son adversaire."
    assert findings(french, "fr") == []
    (found,) = findings(french, "ru")
    assert (found.topic, found.doubt) == ("language-contradiction", True)
    assert "fr" in found.value
