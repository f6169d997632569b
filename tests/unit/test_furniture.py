"""Page furniture, found by look, place and repetition."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.document import Block, Edit
from hoyle.languages import UNDETERMINED, language, languages
from hoyle.layout.furniture import find_furniture
from support import gold
from support.shared import DOCUMENTS, gold_units, raw_text
from support.structure import document


def found(text: str) -> list[tuple[str, str]]:
    """Kind and text of each piece of furniture."""
    return [
        (block.kind, "|".join(text[s.start : s.end] for s in block.spans))
        for block in find_furniture(document(text), UNDETERMINED)
    ]


@pytest.mark.parametrize(
    ("text", "kind", "head"),
    [
        ("perd son argent^\n196 DV QIII19ZE.\n46. Celui qui crève perd.", "running-head", "196 DV QIII19ZE."),
        ("ne s'aperçoit de soû\nDtf QVIIfZB. 107\noubli qu'après coup.", "running-head", "Dtf QVIIfZB. 107"),
        (
            "ne l’a pas\n\niz6 JEU DE BOSTON. prise sur la table. 45. Il y a.",
            "running-head",
            "iz6 JEU DE BOSTON.",
        ),
        (
            "point compté tout, RÈGLES SUR LES REMISES. 127 elle est due.",
            "running-head",
            "RÈGLES SUR LES REMISES. 127",
        ),
        (
            "онъ платитъ по-\n\nКарточныя Игры\n14\nловину ремиза.",
            "running-head",
            "Карточныя Игры\n14",
        ),
        (
            "о ходе пмъ\nИ)\tКарточныя\tИгры\nдолжепъ ставить.",
            "running-head",
            "И)\tКарточныя\tИгры",
        ),
        ("вис 1 — 438 — ВИС картъ или больше.\n§ 9. Никто.", "running-head", "вис 1|ВИС"),
        ("конецъ.\n— 438 —\nНачало.", "page-number", "— 438 —"),
        ("открытой картой.\n- 70 E.Взятки\nВзятка выигрывается.", "page-number", "- 70"),
        ("игроки могутъ\n\n12\n\nиграть дальше.", "page-number", "12"),
        ("выигралъ.\n????????????????\nПравило.", "separator", "????????????????"),
        ("(правило II и IV[20]).", "note-ref", "[20]"),
        ("\ufeffВистъ. Игра.", "notice", "\ufeff"),
    ],
)
def test_is_taken_out(text, kind, head):
    assert (kind, head) in found(text)


def test_a_signature_beside_a_running_head():
    text = "о ходе пмъ\nT. IX,—Отд. 11.\t,\t'/t2\nИ)\tКарточныя\tИгры\nдолжепъ ставить."
    assert ("signature", "T. IX,—Отд. 11.\t,\t'/t2") in found(text)


def test_heads_are_known_by_their_repetition():
    pages = [f"кто сдаетъ карты {n} раза,\nПравила игры\nтотъ теряетъ сдачу." for n in range(4)]
    assert found("\n".join(pages)).count(("running-head", "Правила игры")) == 4


@pytest.mark.parametrize(
    "text",
    [
        "CHAPITRE II.\n\nMISES. — JETONS. — PETIT FOND.",
        "Les dés sont jetés.\nARTICLE 12\nLe joueur doit payer.",
        "35. СЫГРАННЫЕ РЕМИЗЫ надобно перечёркивать.\n36. ШТРАФНЫЕ ставятся.",
        "так 21 — значит 210; 26 — 260; 30 — 300 и т. д.",
        "Пулька, ставка, партия\n37. Так называется число ремизов.",
        "Стол ломберный. 1770-е гг. Мастер Никифор Васильев",
        "— Валет, девятка и семёрка в трёх мастях. — Туз, король.",
        "Ставятъ:\n- 10 фишекъ за ренонсъ,\n- 20 фишекъ за пересдачу.",
        "En 1789 LES ÉTATS se réunirent.",
        "- А. Ходить.\n- Б. Бить.",
    ],
)
def test_text_is_left_alone(text):
    assert found(text) == []


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_gold_furniture_is_found_and_nothing_else(name):
    source = gold.source(name)
    units = gold.edition(name)["units"]
    kinds = {"notice", "running-head", "page-number", "signature", "separator", "note-ref"}
    wanted = {
        i
        for u in units
        if u["type"] in kinds
        for s in u["spans"]
        for i in range(*s)
        if not source.text[i].isspace()
    }
    blocks = list(find_furniture(document(source.text), UNDETERMINED))
    taken = {i for b in blocks for s in b.spans for i in range(*s) if not source.text[i].isspace()}
    assert taken == wanted


@pytest.mark.parametrize("name", DOCUMENTS)
def test_running_heads_of_the_further_documents_are_found(name):
    kinds = {"running-head", "page-number", "signature-mark"}
    wanted = sorted(tuple(s) for u in gold_units(name) if u["type"] in kinds for s in u["spans"])
    found = find_furniture(document(raw_text(name)), UNDETERMINED)
    taken = sorted((s.start, s.end) for b in found for s in getattr(b, "spans", ()))
    assert taken == wanted


@pytest.mark.parametrize("tag", languages())
def test_each_notice_matches_its_example(tag):
    for row in language(tag).table("notices", ("pattern", "example")):
        assert re.search(row["pattern"], row["example"], re.IGNORECASE), row.where


@given(st.text(alphabet="АбвГ DE12-—?.\n\t[]*()", max_size=120))
def test_pieces_are_disjoint_trimmed_and_in_order(text):
    found = list(find_furniture(document(text), UNDETERMINED))
    blocks = [item for item in found if isinstance(item, Block)]
    spans = [s for b in blocks for s in b.spans] + [e.span for e in found if isinstance(e, Edit)]
    owned = [i for s in spans for i in range(*s)]
    assert len(owned) == len(set(owned))
    assert all(0 <= s.start < s.end <= len(text) for s in spans)
    assert len({b.id for b in blocks}) == len(blocks)
    assert [b.spans for b in blocks] == sorted(b.spans for b in blocks)
    assert found == list(find_furniture(document(text), UNDETERMINED))


def test_a_short_line_of_a_sentence_with_a_number_is_no_signature():
    text = "Главной считается дорога, обозначенная знаками 2.1\nили 5.1 ,\nпо отношению к другой.\n"
    assert not found(text)
