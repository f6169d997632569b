"""A short document that has every construct of the TEI encoding."""

from __future__ import annotations

import hashlib

from hoyle.document import (
    Block,
    Clause,
    Condition,
    Document,
    Edit,
    Evidence,
    Finding,
    Meta,
    Reference,
    Source,
    Span,
    Tag,
)

RULE = Evidence("languages/fr/confusions.tsv:14", 0.93)
SURE = Evidence("numbering/decoder", 0.99)


def example() -> Document:
    """The document."""
    text = (
        "196 DV QVINZE.\n"
        "CHAPITRE II.\n"
        "44* On perd éga-\nlement ce\nqu'on a <mis> & filé.\n"
        "1. Si l'on\x0c a crevé.\r\n"
        "197 DV QVINZE.\n"
        "Voyez l'article 44 (*).\n"
        "Fig. 1\n"
        "(*) Note.\n\n"
        "Un reste"
    )

    def at(words: str, within: str = "") -> Span:
        start = text.index(words, text.index(within) if within else 0)
        return Span(start, start + len(words))

    def edit(words: str, after: str, kind="correct", why=RULE, before=None, within="") -> Edit:
        return Edit(at(words, within), words if before is None else before, after, kind, why)

    units = [
        Block("quinze.h1", "heading", (at("CHAPITRE II."),), SURE, n="II"),
        Clause(
            "quinze.44", "44*", ("44",), (at("44* On perd éga-\nlement ce\nqu'on a <mis> & filé."),), SURE,
            label_span=at("44*"), scheme="arabic", under="quinze.h1",
        ),
        Clause(
            "quinze.44.1", "1.", ("44", "1"), (at("1. Si l'on\x0c a crevé."), at("Voyez l'article 44 (*).")),
            Evidence("numbering/decoder", 0.6), label_span=at("1. Si"), heading=at("Si l'on", "1. Si"),
            under="quinze.h1", incomplete="end", flags=("number guessed",),
        ),
        Block("quinze.c1", "caption", (at("Fig. 1"),), SURE),
        Block("quinze.f1", "footnote", (at("(*) Note."),), SURE, n="*", parent="quinze.44.1"),
        Block("quinze.g1", "gap", (Span(len(text), len(text)),), SURE),
    ]  # fmt: skip
    furniture = [
        Block("quinze.rh1", "running-head", (at("196 DV QVINZE."),), SURE, n="196"),
        Block("quinze.rh2", "running-head", (at("197 DV QVINZE."),), SURE, n="197"),
    ]
    correct = [
        edit("*", ".", within="44*"),
        edit("-\n", "", "layout"),
        Edit(Span(at("ce\nqu").start + 2, at("ce\nqu").start + 3), "\n", " ", "layout", RULE),
        Edit(Span(at("filé").start, at("filé").start + 1), "f", "F", "correct", Evidence("a model", 0.71)),
        edit("\x0c", "", "drop"),
        edit("Fig", "FIG"),
    ]
    decided = Evidence("corpus/quinze/decisions.tsv:2", 1.0)
    decisions = [
        edit("<mis>", "mis", "misprint", decided),
        Finding("decision", "'<mis>' read as 'mis': sense (A. Editor, 2026-11-29)", decided, at("<mis>")),
    ]
    modern = [
        edit("éga-\nlement", "pareillement", "regularise", before="également"),
        edit("Fig", "Figure", "regularise", before="FIG"),
        edit("Voyez", "Voir", "regularise"),
    ]
    source = Source(
        "quinze", "quinze.txt", text, hashlib.sha256(text.encode()).hexdigest(), len(text.encode())
    )
    meta = Meta(
        "quinze", title="Le quinze", lang="fr", date="1818", licence="Public domain", games=("quinze",),
        editors=("A. Editor",),
    )  # fmt: skip
    document = Document(source, meta).with_layer("language", [Finding("language", "fr", SURE)])
    document = document.with_layer("furniture", furniture).with_layer("clauses", units)
    document = document.with_layer("correct", correct).with_layer("decisions", decisions)
    document = document.with_layer("regularise", modern)
    penalty = Tag(
        "quinze.44",
        "penalty",
        "loss-of-stake",
        (at("perd"),),
        "perd",
        RULE,
        against="player",
        amount="la mise",
    )
    rule = Tag("quinze.44", "modality", "penalty", (at("perd"),), "perd", RULE, main=True)
    case = Condition("quinze.44.1", (at("Si l'on\x0c a"),), "Si l'on a", (at("crevé"),), "crevé", RULE)
    document = document.with_layer("tag", [penalty, rule, case])
    refs = [
        Reference("quinze.44.1", (at("l'article 44"),), "l'article 44", ("44",), "quinze.44", "exact", SURE)
    ]
    return document.with_layer("references", refs)
