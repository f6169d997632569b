"""Files that go wrong: good ones, damaged in ways that are drawn from a seed.

By hand, to look at them: ``PYTHONPATH=tests python -m support.bad_files FOLDER [HOW_MANY]``.
"""

from __future__ import annotations

import json
import random
import sys
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape

from support import typeset
from support.packed import docx, epub, odt

RULES = (
    "REGLES DU JEU\n\n1. Le joueur qui renonce perd sa mise.\n2. Il paie l'amende de l'article 1.\n"
    "3. Le dernier lève les cartes, s'il n'a pas parlé.\n"
)
META = (
    'file = "text.txt"\ntitle = "Le jeu"\nlang = "fr"\ndate = "1817"\nnumbering = ["arabic"]\n'
    'games = ["quinze"]\nnotes = ["une note"]\n[[excerpts]]\nat = 5\nnumber = "3"\n'
)
DECISIONS = (
    "start\tend\traw\tdecision\tvalue\teditor\tdate\treason\n"
    "18\t20\tLe\tread-as\tLa\tA. Editor\t1999-12-31\tsense\n"
    "18\t20\tLe\ttag\tactor:player part=suffers\tA. Editor\t1999\t\n"
    "15\t17\t1.\tnumber\t7\tA. Editor\t1999-12\t\n"
)
RECORDS = '{"ocr": "Le jcu de cartes.", "gold": "Le jeu de cartes.", "id": "a", "n": 1.5}\n' * 2
GOLD = json.dumps(
    {
        "file": "text.txt",
        "units": [
            {
                "type": "clause", "n": "1", "spans": [[15, 53]], "corrected": "1. Le joueur perd.",
                "modern": "1. Le joueur perd.", "actors": [{"id": "player"}], "penalties": [{"type": "fine"}],
                "game": "quinze", "refs": [{"target": "1"}],
            }
        ],
    },
    ensure_ascii=False,
)  # fmt: skip
TOKENS = [
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3", b"\r", b"\x0c", b"\t", b"\n\n", b" "),
    *(
        b"&",
        b"<",
        b"]]>",
        b"<b>",
        b"</div>",
        b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
        b"&x;",
        b"<!--",
        b"<![CDATA[",
    ),
    *(b"1e308", b"-1", b"nan", b"9" * 5000, b"1.2.3", b".", "²".encode(), "١".encode(), b"0x1F", b"1e999"),
    *(b"[" * 2000, b"{", b"}", b"null", b"[]", b'"', b"'", b"\\ud800", b"\\u0000", b"=1+1", b"../../x", b"%"),
    *("\u202e".encode(), "\ufffe".encode(), "e\u0301".encode(), "\U0010ffff".encode(), "§ 12.".encode()),
    *(b"2026-99-99", b"part=zzz", b"hello", b"x" * 3000, "ё".encode("koi8-r"), b"true", b"1900/1800"),
]
"""What has broken programs that read files."""


def damaged(data: bytes, seed: int) -> bytes:
    """The file with one to four faults.

    Args:
        data: a good file.
        seed: draws the faults; one seed, one result.
    """
    draw = random.Random(seed)
    for _ in range(draw.randint(1, 4)):
        data = draw.choice(_FAULTS)(data, draw)
    return data


def _cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randint(0, len(data))]


def _token(data: bytes, draw: random.Random) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.choice(TOKENS) + data[at:]


def _flip(data: bytes, draw: random.Random) -> bytes:
    if not data:
        return data
    at = draw.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]


def _gap(data: bytes, draw: random.Random) -> bytes:
    start, end = sorted(draw.randint(0, len(data)) for _ in range(2))
    return data[:start] + data[min(end, start + 200) :]


def _twice(data: bytes, draw: random.Random) -> bytes:
    start, end = sorted(draw.randint(0, len(data)) for _ in range(2))
    return data[:end] + data[start : start + 300] + data[end:]


def _value(data: bytes, draw: random.Random) -> bytes:
    """Another thing in the place of what stands between two signs."""
    places = [i for i, byte in enumerate(data) if byte in b'"\t=:, \n']
    if len(places) < 2:
        return data
    n = draw.randrange(len(places) - 1)
    return data[: places[n] + 1] + draw.choice(TOKENS) + data[places[n + 1] :]


def _encoding(data: bytes, draw: random.Random) -> bytes:
    codec = draw.choice(["cp1252", "utf-16", "utf-16-le", "cp1251", "mac-cyrillic", "utf-8-sig", "utf-7"])
    return data.decode(errors="replace").encode(codec, "replace")


_FAULTS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _cut, _token, _token, _flip, _gap, _twice, _value, _value, _value, _encoding,
)  # fmt: skip

_PAGES = [
    [typeset.row(line, 100, 100 + typeset.ROW * n) for n, line in enumerate(RULES.split("\n")) if line],
    [typeset.row("4. Chacun garde son tour.", 100, 100)],
]
_PARAGRAPHS = "".join(f"<p>{escape(line)}</p>" for line in RULES.split("\n") if line)
_HTML = f'<html><head><meta charset="utf-8"><title>Le jeu</title></head><body>{_PARAGRAPHS}</body></html>'

SOURCES = {
    "text.txt": RULES.encode(),
    "page.hocr": typeset.hocr(*_PAGES),
    "page.alto": typeset.alto(*_PAGES),
    "page.page": typeset.page_xml(*_PAGES),
    "page.abbyy.xml": typeset.abbyy(*_PAGES),
    "page.djvu.xml": typeset.djvu_xml(*_PAGES),
    "page.pdf": typeset.pdf(*_PAGES),
    "text.html": _HTML.encode(),
    "text.docx": docx(_PARAGRAPHS.replace("<p>", "<w:p><w:r><w:t>").replace("</p>", "</w:t></w:r></w:p>")),
    "text.odt": odt(_PARAGRAPHS.replace("p>", "text:p>")),
    "text.epub": epub("<p>4. Chacun garde son tour.</p>", _PARAGRAPHS),
}
"""Good sources by name, one a format."""

GOOD = SOURCES | {
    "meta.toml": META.encode(),
    "decisions.tsv": DECISIONS.encode(),
    "records.jsonl": RECORDS.encode(),
    "gold.json": GOLD.encode(),
}
"""Good files by name."""


def damaged_inside(data: bytes, seed: int) -> bytes:
    """A ZIP archive that is whole, with one to four faults in one of its members.

    Args:
        data: a good archive.
        seed: draws the member and the faults.
    """
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as given, zipfile.ZipFile(out, "w") as made:
        bad = random.Random(seed).choice(given.namelist())
        for name in given.namelist():
            content = given.read(name)
            made.writestr(zipfile.ZipInfo(name), damaged(content, seed) if name == bad else content)
    return out.getvalue()


def bad_files(name: str, how_many: int, first: int = 0) -> Iterator[bytes]:
    """Damaged copies of a good file, each with another seed; of an archive every second is damaged inside."""
    good = GOOD[name]
    for seed in range(first, first + how_many):
        inside = good.startswith(b"PK") and seed % 2
        yield damaged_inside(good, seed) if inside else damaged(good, seed)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for good in GOOD:
        for number, bad in enumerate(bad_files(good, int(sys.argv[2]) if len(sys.argv) > 2 else 20)):
            (target / f"{number:04}-{good}").write_bytes(bad)
