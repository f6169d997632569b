"""A small book of our own, set in type: three pages of rules with the place of every word."""

from __future__ import annotations

from io import BytesIO

from support import typeset

TOP = 100
PAGES = (
    (
        "Règles du jeu",
        "1. Le donneur mêle les cartes et les",
        "offre ensuite à couper au voisin de gauche.",
        "2. Celui qui donne mal perd sa donne",
        "et passe la main au joueur suivant.",
        "3. On ne peut regarder la carte du talon",
        "avant son tour.",
    ),
    (
        "4. Qui renonce paie la partie entière à",
        "celui qui gagne le plus de levées.",
        "5. Les cartes jouées ne sont pas",
        "reprifes, même par erreur.",
        "6. Le premier joueur qui annonce une",
        "couleur est tenu de la jouer jusqu'à",
    ),
    (
        "la fin du coup.",
        "7. Les levées se comptent à la fin de",
        "chaque coup, et la partie se joue en dix.",
    ),
)
"""Lines page by page; the sixth rule goes over a page, and one word is misread (reprifes for reprises)."""


def top(line: int) -> int:
    """Where a line of a page stands, counted from 0, in units of 1000 to the width."""
    return TOP + typeset.ROW * line


def placed() -> list[list[list[typeset.Placed]]]:
    """The words of each line of each page."""
    return [[typeset.row(text, 100, top(n)) for n, text in enumerate(page)] for page in PAGES]


def pdf() -> bytes:
    """The book as a PDF."""
    return typeset.pdf(*placed())


def image(number: int, kind: str = "PNG", size: tuple[int, int] = (1000, 1500)) -> bytes:
    """The picture of a page, counted from 0: a grey bar for each word."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - only these tests need it

    sheet = Image.new("L", size, 255)
    pen = ImageDraw.Draw(sheet)
    for line in placed()[number]:
        for word in line:
            pen.rectangle([side * size[0] / 1000 for side in word.box], fill=90)
    out = BytesIO()
    sheet.save(out, kind)
    return out.getvalue()
