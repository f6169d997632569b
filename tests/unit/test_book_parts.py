"""Parts of a book, and rules without numbers: what they are called, and that every output knows them."""

from __future__ import annotations

import typing

import pytest

from hoyle import loading
from hoyle.document import Block, BlockKind
from hoyle.document.items import FURNITURE
from hoyle.tables import data_file
from hoyle.tei.read import read_document
from hoyle.tei.verify import verify_bytes
from hoyle.tei.write import tei_bytes
from support.structure import document, structured

BOOK = """\
ACADÉMIE
DES JEUX,
CONTENANT
LES RÈGLES DU TRICTRAC.

A PARIS,
Chez LAURENT, libraire.
1807.

AVANT-PROPOS.

On a réuni dans ce livre les usages que l'on suit dans les maisons les mieux réglées.

RÈGLES.

_Priorité du dé._ Celui qui amène le plus fort
point joue le premier.

_Dé cassé._
Le dé qui s'appuie sur une dame ne compte pas.

Il en est de même de celui qui sort du tablier.

TARIF.

Pour le jeton ............ 2 sous
Pour la fiche ............ 10 sous
Pour le contrat .......... 5 livres

TABLE DES MATIÈRES.

1. Avant-propos ............ 1
2. Règles .................. 3
3. Tarif ................... 9

ERRATA.

1. Page 3, ligne 2, au lieu de : le, lisez : les.
2. Page 4, ligne 9, au lieu de : dés, lisez : dames.
"""
PARTS = ["title-page", "foreword", "rule", "rule", "paragraph", "table", "contents", "errata"]


def _kinds(text: str) -> list[str]:
    return [unit.kind if isinstance(unit, Block) else "clause" for unit in structured(document(text)).units]


def test_each_part_has_its_name():
    assert [kind for kind in _kinds(BOOK) if kind != "heading"] == PARTS


def test_a_rule_without_number_has_an_id_from_its_place():
    made = structured(document(BOOK, "book"))
    rules = [unit for unit in made.units if isinstance(unit, Block) and unit.kind == "rule"]
    assert [rule.id for rule in rules] == ["book.r1", "book.r2"]
    assert BOOK[rules[1].spans[0].start :].startswith("_Dé cassé._\nLe dé")
    assert not made.clauses


def test_tei_gives_the_parts_back():
    made = structured(loading.from_text(BOOK, document="book"))
    written = tei_bytes(made)
    assert verify_bytes(written, name="book.xml") == []
    again = read_document(written, name="book.xml")
    assert [(unit.id, unit.spans) for unit in again.units] == [(unit.id, unit.spans) for unit in made.units]
    assert b'<ab type="rule"' in written
    assert b'<ab type="contents"' in written


@pytest.mark.parametrize(
    "text",
    [
        "Bonjour. — Bonjour, dit-il.\n\nAsseyez-vous. — Merci.\n\nOn joua.\n\nOn but.\n\nOn rit.\n",
        "Le *coin* se prend à deux dames.\n\n*Jamais* on ne le prend à une.\n\nQui perd paie.\n",
        "La quinte vaut 15\nLa tierce vaut 3\nLe quatorze vaut 14\n",
        "MERCURE\nDE FRANCE.\n\nOn a joué en 1807 chez le ministre.\n",
    ],
)
def test_prose_is_no_rule_and_no_part(text):
    assert set(_kinds(text)) <= {"paragraph", "heading"}


def test_every_kind_of_block_has_its_name_in_tables_and_on_the_site():
    kinds = set(typing.get_args(BlockKind))
    assert kinds <= set(data_file("schemas", "tables.toml").read_text(encoding="utf-8").split('"'))
    strings = data_file("site", "strings.tsv").read_text(encoding="utf-8")
    units = kinds - FURNITURE
    assert all(f"\nkind_{kind}\t" in strings for kind in units)
