"""Sets clean passages in type like that of old prints, spoils the page and has tesseract read it.

    python pipeline/training/render.py DATA_FOLDER OUT.jsonl --lang TAG --pages N [--against FILE]...

Writes pairs of what was read and what was set, a paragraph each, with the line ends of the page. A file that
is there is gone on from. Needs ``hoyle[train]``, tesseract with the language, and the fonts of
``typefaces.tsv`` (Debian packages are named there).
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

sys.path.insert(0, str(Path(__file__).resolve().parent / "tagger"))

from data import forbidden, material
from pairs import Pair
from rapidfuzz.distance import Levenshtein
from samples import LABELS

from hoyle.languages import language
from hoyle.tables import read_table

FONTS = (Path("/usr/share/fonts/truetype"), Path("/usr/share/fonts/opentype"))

FACES = ("face", "roman", "italic", "language", "package", "like")
"""Columns of ``typefaces.tsv``."""

ENGINES = {"ru-petr1708": ("rus", "rus", "rus", "rus", "rus+fra"), "fr": ("fra",)}
"""What tesseract is asked to read with, one drawn for each page."""

WIDTH, HEIGHT, MARGIN = 1500, 2250, 130
"""Of a page, in pixels at 300 to the inch."""

PAGE = 1900
"""Characters of a page, about."""


@dataclass
class Page:
    """What is set on one page, and how.

    Attributes:
        id: names it and seeds everything that is drawn.
        paragraphs: the text.
        faces: files of the type and of its italics.
        engine: languages that tesseract reads with.
    """

    id: str
    paragraphs: list[str]
    faces: tuple[Path, Path]
    engine: str
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.id)


class Word(NamedTuple):
    """A word as it is set: ``track`` pixels between its letters."""

    text: str
    font: ImageFont.FreeTypeFont
    track: float

    @property
    def width(self) -> float:
        """In pixels."""
        return float(self.font.getlength(self.text)) + self.track * max(0, len(self.text) - 1)


class Line(NamedTuple):
    """A line: its words, where it starts and whether it is stretched to the margin."""

    paragraph: int
    words: list[Word]
    indent: int
    full: bool

    @property
    def text(self) -> str:
        """As it is printed."""
        return " ".join(word.text for word in self.words)


def compose(page: Page, width: int) -> Iterator[Line]:
    """The lines of a page, words cut by hyphens where they do not fit."""
    rng, size = page.rng, page.rng.choice((38, 42, 46, 50))
    roman, italic = (ImageFont.truetype(str(face), size) for face in page.faces)
    if rng.random() < 0.15:
        roman = italic
    spaced, slanted = rng.choice((0, 0, 0.03, 0.1)), rng.choice((0, 0, 0.05))
    for number, paragraph in enumerate(page.paragraphs):
        words = []
        for text in paragraph.split():
            track = size * rng.uniform(0.2, 0.35) if len(text) > 4 and rng.random() < spaced else 0.0
            words.append(Word(text, italic if rng.random() < slanted else roman, track))
        yield from _lines(number, words, width, size)


def _lines(number: int, words: list[Word], width: int, indent: int) -> Iterator[Line]:
    line: list[Word] = []
    room: float = width - indent
    while words:
        word = words.pop(0)
        gap = word.font.getlength(" ") if line else 0.0
        if gap + word.width <= room:
            line.append(word)
            room -= gap + word.width
            continue
        head, tail = _cut(word, room - gap)
        if not head and not line:
            head, tail = word, None  # wider than the column
        line += [head] if head else []
        words[:0] = [tail] if tail else []
        yield Line(number, line, indent, full=True)
        line, indent, room = [], 0, width
    if line:
        yield Line(number, line, indent, full=False)


_CUT = re.compile(
    r"(?<=[аеёиоуыэюяіѣѵaeiouyéèêâîôûàùьъй])(?=[^\Wаеёиоуыэюяіѣѵaeiouyéèêâîôûàùьъй\d]\w)", re.IGNORECASE
)


def _cut(word: Word, room: float) -> tuple[Word | None, Word | None]:
    """The word in two where a vowel is followed by a consonant, the first part with a hyphen."""
    for match in reversed(list(_CUT.finditer(word.text)) if not word.track else []):
        head = word._replace(text=word.text[: match.start()] + "-")
        if match.start() > 1 and head.width <= room:
            return head, word._replace(text=word.text[match.start() :])
    return None, word


def draw(page: Page) -> tuple[Image.Image, list[Line]]:
    """The page in print, and its lines."""
    image = Image.new("L", (WIDTH, HEIGHT), 255)
    pen, ink = ImageDraw.Draw(image), page.rng.choice((0, 20, 40, 60))
    width = WIDTH - 2 * MARGIN
    shown: list[Line] = []
    y = MARGIN
    for line in compose(page, width):
        size = line.words[0].font.size
        if y > HEIGHT - MARGIN - size:
            break
        shown.append(line)
        x, free = float(MARGIN + line.indent), width - line.indent - sum(w.width for w in line.words)
        gap = line.words[0].font.getlength(" ")
        if line.full and len(line.words) > 1:
            gap = min(free / (len(line.words) - 1), 3 * gap)
        for word in line.words:
            for piece in word.text if word.track else [word.text]:
                pen.text((x, y), piece, font=word.font, fill=ink)
                x += word.font.getlength(piece) + word.track
            x += gap - word.track
        y += int(1.32 * size)
    return image, shown


def spoil(image: Image.Image, rng: random.Random) -> tuple[Image.Image, int]:
    """The page as a scan shows it, and its dots to the inch.

    Skewed, thick or thin of ink, inked unevenly, out of focus, with grain, specks and the other side of the
    leaf showing through; often in black and white only.
    """
    noise = np.random.default_rng(rng.randrange(1 << 30))
    if rng.random() < 0.2:
        image = image.filter(rng.choice((ImageFilter.MinFilter(3), ImageFilter.MaxFilter(3))))
    image = image.rotate(rng.uniform(-0.7, 0.7), fillcolor=255, resample=Image.Resampling.BICUBIC)
    image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.7, 1.7)))
    if rng.random() < 0.15:
        back = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT).filter(ImageFilter.GaussianBlur(4))
        image = Image.blend(image, back, rng.uniform(0.05, 0.2))
    scale = rng.choice((0.67, 0.67, 0.6, 0.5))
    clouds = Image.fromarray(noise.normal(0, 1, (HEIGHT // 60, WIDTH // 60)).astype(np.float32))
    clouds = clouds.resize(image.size, Image.Resampling.BICUBIC)
    ink = np.asarray(image) + rng.uniform(0, 15) * np.asarray(clouds)
    small = Image.fromarray(np.clip(ink, 0, 255).astype(np.uint8))
    small = small.resize((int(WIDTH * scale), int(HEIGHT * scale)), Image.Resampling.BILINEAR)
    grain = np.asarray(small) + noise.normal(0, rng.uniform(5, 15), small.size[::-1])
    specks = noise.random(grain.shape) < rng.choice((3e-5, 1e-4, 4e-4))
    grain[specks] = noise.choice((0.0, 255.0), int(specks.sum()))
    if rng.random() < 0.7:
        grain = np.where(grain < rng.uniform(178, 200), 0.0, 255.0)
    return Image.fromarray(np.clip(grain, 0, 255).astype(np.uint8)), int(300 * scale)


def recognise(image: Image.Image, engine: str, dpi: int) -> str:
    """What tesseract reads, blank lines left out."""
    png = io.BytesIO()
    image.save(png, "PNG")
    command = ["tesseract", "stdin", "stdout", "-l", engine, "--dpi", str(dpi), "--psm", "3"]
    done = subprocess.run(  # noqa: S603 - nothing in it comes from outside
        command,
        input=png.getvalue(),
        capture_output=True,
        check=True,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
    )
    lines = done.stdout.decode("utf-8").replace("\f", "").splitlines()
    return "\n".join(re.sub(r"\s+", " ", line).strip() for line in lines if line.strip())


def aligned(lines: list[Line], ocr: str) -> Iterator[Pair]:
    """A pair for each paragraph of a page; those that the engine lost or jumbled are left out."""
    paragraphs: dict[int, list[str]] = {}
    for line in lines:
        paragraphs.setdefault(line.paragraph, []).append(line.text)
    texts = ["\n".join(paragraph) for paragraph in paragraphs.values()]
    steps = Levenshtein.opcodes("\n".join(texts), ocr)
    end = start = 0
    for text in texts:
        end += len(text) + 1
        until = next(
            (
                s.dest_end
                if end >= s.src_end
                else s.dest_start + min(end - s.src_start, s.dest_end - s.dest_start)
                for s in reversed(steps)
                if s.src_start < end
            ),
            0,
        )
        read = ocr[start:until].strip("\n")
        start = until
        if Levenshtein.distance(read, text) <= 0.3 * len(text):
            yield Pair(read, text)


def make(page: Page) -> list[dict[str, str]]:
    """The records of one page."""
    image, lines = draw(page)
    scan, dpi = spoil(image, page.rng)
    pairs = aligned(lines, recognise(scan, page.engine, dpi))
    return [{"page": page.id, "ocr": pair.ocr, "gold": pair.gold} for pair in pairs]


def pages(clean: list[str], tag: str, count: int, half: int) -> Iterator[Page]:
    """So many pages of the passages, every third with numbered clauses."""
    main = language(tag).base
    faces = [
        r
        for r in read_table(Path(__file__).with_name("typefaces.tsv"), FACES)
        if main in r["language"].split()
    ]
    passages = iter(clean)
    for number in range(count):
        page = f"{tag}-{half}-{number}"
        rng = random.Random(page)
        taken: list[str] = []
        while sum(map(len, taken)) < PAGE and (passage := next(passages, None)):
            taken.append(passage)
        if rng.random() < 0.33:
            label, first = rng.choice(LABELS[tag]), rng.randint(1, 90)
            taken = [label.format(n=first + i, r="IVX"[i % 3]) + " " + t for i, t in enumerate(taken)]
        face = rng.choice(faces)
        files = _font(face["roman"]), _font(face["italic"])
        yield Page(page, taken, files, rng.choice(ENGINES[tag]))


def _font(name: str) -> Path:
    for folder in FONTS:
        if (folder / name).exists():
            return folder / name
    raise SystemExit(f"the font {name} is not installed; its package is named in typefaces.tsv")


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder with ru/ and fr/")
    parser.add_argument("out", type=Path)
    parser.add_argument("--lang", required=True, choices=sorted(ENGINES))
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument(
        "--half", type=int, default=0, choices=(0, 1), help="of the corpus; 1 to calibrate on"
    )
    parser.add_argument("--against", type=Path, nargs="*", default=[], help="texts that must not be used")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    wanted = 2 * chosen.pages * PAGE  # pages are cut off at their foot, passages shorter than asked for
    found = material(
        chosen.data,
        chosen.lang,
        language(chosen.lang).lexicon,
        forbidden(chosen.against),
        wanted,
        chosen.half,
    )
    done = set()
    if chosen.out.exists():
        done = {json.loads(line)["page"] for line in chosen.out.read_text(encoding="utf-8").splitlines()}
    todo = (p for p in pages(found.clean, chosen.lang, chosen.pages, chosen.half) if p.id not in done)
    with ProcessPoolExecutor(chosen.jobs) as pool, chosen.out.open("a", encoding="utf-8") as file:
        for records in pool.map(make, todo):
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
            file.flush()


if __name__ == "__main__":
    main()
