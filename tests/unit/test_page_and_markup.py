"""What stands around the rules: markup, notes, page lines, columns by gaps, and which language it is."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from hoyle.document import Block, Document, Fragment
from hoyle.document.text_layers import layer_text
from hoyle.document.validation import validate
from hoyle.languages import UNDETERMINED, language
from hoyle.languages.detection import detect_language
from hoyle.layout.columns import order_columns
from hoyle.layout.markup import markup
from hoyle.layout.notes import notes
from hoyle.tei.verify import verify_bytes
from hoyle.tei.write import tei_bytes
from support import gold
from support.structure import document, structured

CASES = sorted((gold.GOLD / "numbering").glob("*.txt"))


def taken_out(text: str) -> list[str]:
    """The texts of the furniture."""
    return [text[slice(*span)] for block in structured(document(text)).furniture for span in block.spans]


def clause_texts(text: str) -> dict[str, str]:
    """The corrected text of each clause after furniture and clauses alone, line ends as spaces."""
    doc = structured(document(text))
    return {
        c.n: " ".join(" ".join(layer_text(doc, [s], "corrected").text for s in c.spans).split())
        for c in doc.clauses
    }


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_tei_of_every_case_is_valid(path):
    text = path.read_text(encoding="utf-8").partition("\n===\n")[0] + "\n"
    bare = document(text)
    source = replace(bare.source, sha256=hashlib.sha256(text.encode()).hexdigest())
    doc = structured(Document(source, bare.meta))
    validate(doc)
    assert verify_bytes(tei_bytes(doc), name=path.stem) == []
    assert len({c.id for c in doc.clauses}) == len(doc.clauses)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("## Des places\n\nTexte.\n", ["## "]),
        ("=== Карты ===\nТекст.\n", ["=== ", "==="]),
        ("**12.** On paie.\n", ["**", "**"]),
        ("On dit _j'adoube_ avant.\n", ["_", "_"]),
        ("3\\.1\\. On donne.\n", ["\\", "\\"]),
        ("Voyez [les règles](regles.html#a).\n", ["[", "](regles.html#a)"]),
        ("1. [x] On joue.\n", ["[x] "]),
        ('2. <a name="r2"></a>On coupe.\n', ['<a name="r2">', "</a>"]),
        (
            "On paie.\n-----File: 029.png---\\un\\deux\\-----\nFin.\n",
            ["-----File: 029.png---\\un\\deux\\-----"],
        ),
        ("On paie. [Pg 30]\n[Illustration]\n", ["[Pg 30]", "[Illustration]"]),
        ("---\ntitle: Règles\n---\nOn joue.\n", ["---\ntitle: Règles\n---"]),
        ("| a | b |\n|---|---|\n| 1. | deux |\n", ["| ", "|", "|"]),
    ],
)
def test_markup_is_found(text, pieces):
    found = [text[slice(*mark.span)].strip() for mark in markup(text)]
    assert all(piece.strip() in found for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        "13* On joue. 14* On coupe.\n",
        "(*) Note de l'auteur. (*) Autre note.\n",
        "On paie 2 * 3 jetons et 4 * 5 fiches.\n",
        "<б., игрокъ ходитъ. a < b.\n",
        "Игрокъ [1] платитъ.\n",
        "1\\. fut lu une fois.\n",
        "#. Il joue.\n#1 est le premier.\n",
        "Il tient son jeu | et attend.\n",
    ],
)
def test_damage_and_signs_are_no_markup(text):
    assert markup(text) == []


def test_the_text_is_read_without_its_markup_and_the_raw_stays():
    text = "### 12. Du _coin_\n\nOn prend son **coin** d'emblée.\n\n### 13. De l'école\n\nOn la marque.\n"
    doc = structured(document(text))
    assert [c.n for c in doc.clauses] == ["12", "13"]
    assert "_" not in clause_texts(text)["12"]
    assert "coin d'emblée" in clause_texts(text)["12"]
    assert doc.source.text == text


def test_a_note_belongs_to_the_rule_that_calls_it():
    text = (
        "12. Celui qui renonce (1) paie.\n13. Le mort (2) se tait.\n\n"
        "(1) C'est ne pas fournir.\n(2) C'est le partenaire.\n\n14. On coupe.\n"
    )
    doc = structured(document(text))
    assert [c.n for c in doc.clauses] == ["12", "13", "14"]
    footnotes = [u for u in doc.units if isinstance(u, Block) and u.kind == "footnote"]
    assert [(f.n, f.parent) for f in footnotes] == [("1", "x.12"), ("2", "x.13")]
    assert [b.n for b in doc.furniture if b.kind == "note-ref"] == ["1", "2"]


def test_a_note_goes_on_over_its_lines_and_the_rule_after_it():
    text = (
        "7. Le joueur (1) qui touche une\n(1) Ou celui qui le\nremplace.\n"
        "dame est obligé de la jouer.\n8. On paie.\n"
    )
    found = notes(text)
    assert [(note.mark, text[slice(*note.call)]) for note in found] == [("(1)", "(1)")]
    assert "remplace" not in clause_texts(text)["7"]


@pytest.mark.parametrize(
    "text",
    [
        "Les fautes sont :\n(1) toucher une carte;\n(2) parler.\n",
        "Au cas (1) :\n(1) on paie;\n(2) on se tait.\n",
        "(1) On joue.\n(2) On coupe.\n",
    ],
)
def test_items_of_a_list_are_no_notes(text):
    assert notes(text) == []


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "5. Le joueur lance les dés et doit les\nlaisser\nB iij\nlaisser sur le tapis.\n6. Il marque.\n",
            ["laisser", "B iij"],
        ),
        ("5. Il marque ses points.\nTome II. C\n6. Il lève.\n", ["Tome II. C"]),
        (
            "7. Celui qui touche une carte\n\n131 REGLES DU JEU.\n132 est tenu de la jouer.\n8. Il passe.\n",
            ["131 REGLES DU JEU.", "132"],
        ),
        (
            "§ 4. Кто не\nЗаписки о карточной игрѣ. 3i\nходитъ,\nЗаписки о картечной игрѣ. 33\nсдалъ.\n",
            ["Записки о карточной игрѣ. 3i", "Записки о картечной игрѣ. 33"],
        ),
    ],
)
def test_lines_of_the_page_are_taken_out(text, pieces):
    assert taken_out(text) == pieces


@pytest.mark.parametrize(
    "text",
    [
        "§ 2. Каждый беретъ карту. Старшія\nкарты играютъ вмѣстѣ. Затѣмъ\nСдающій тасуетъ.\n§ 3. Ходъ.\n",
        "1. On joue.\n2. On lève.\n3. On va.\n",
        "4. Il tire une dame et une\ndame.\n5. Une dame vaut dix.\n",
        "9. La partie est de\n12 points et le coup de\n3 points au plus.\n",
    ],
)
def test_running_text_is_never_taken_out(text):
    assert taken_out(text) == []
    assert not any(isinstance(u, Block) and u.kind == "caption" for u in structured(document(text)).units)


def test_columns_by_gaps_of_spaces_are_put_in_order():
    text = (
        "1. Le donneur mêle    4. On joue à tour\n"
        "et fait couper.       de rôle.\n"
        "2. Il donne trois     5. On relève la\n"
        "cartes à chacun.      levée aussitôt.\n"
        "3. Le premier parle   6. On paie le coup\n"
        "ou passe.             à la fin.\n"
    )
    found = [f for f in order_columns(document(text), language("fr")) if isinstance(f, Fragment)]
    flow = " ".join(" ".join(text[slice(*f.span)].split()) for f in found)
    assert flow == (
        "1. Le donneur mêle et fait couper. 2. Il donne trois cartes à chacun. 3. Le premier parle ou passe. "
        "4. On joue à tour de rôle. 5. On relève la levée aussitôt. 6. On paie le coup à la fin."
    )


def test_a_table_with_gaps_is_no_pair_of_columns():
    text = "Coup    Points\nGrand jan    12\nPetit jan    6\nContre-jan    8\nÉcole    4\n"
    assert list(order_columns(document(text), language("fr"))) == []


def test_look_alikes_are_folded_before_the_language_is_told():
    (found,) = detect_language(document("§ 1. Cдающiй cнимаетъ кoлoдy лѣвoю pyкoю."), UNDETERMINED)
    assert found.value == "ru-petr1708"


def test_the_nearest_language_of_badly_read_russian_is_taken_as_a_doubt():
    text = "Кжодый ыгрокъ дожлснъ клвсть свою кврту протывъ себя, и нс можстъ ее перемѣиить."
    (found,) = detect_language(document(text), UNDETERMINED)
    assert (found.value, found.doubt) == ("ru-petr1708", True)
