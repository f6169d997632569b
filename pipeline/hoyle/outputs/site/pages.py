"""What all pages of the site share: templates, addresses, titles, labels, downloads."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from hoyle import __version__
from hoyle.document.publication import publication_settings
from hoyle.errors import OutputError
from hoyle.facets import facets
from hoyle.outputs.site.interface import INTERFACES, SCRIPTED, TAG_DOUBTFUL, label, strings, translations
from hoyle.outputs.site.interface import word as interface_word
from hoyle.outputs.site.text import visible
from hoyle.tables import data_file, read_table


def file_name(name: str) -> str:
    """A name that any file system holds: letters, digits, ``.``, ``-``, ``_``; others become ``~2f``."""
    safe = "".join(c if c.isalnum() or c in "-_" else c if c == "." else f"~{ord(c):x}" for c in name)
    return safe.strip(".") or "~"


def address(*parts: str) -> str:
    """A relative address made of file names."""
    return "/".join(quote(part) for part in parts)


def size(count: int) -> str:
    """A number of bytes as people read it."""
    power = max(0, (len(str(count)) - 1) // 3)
    return f"{round(count / 1000**power)} {('B', 'KB', 'MB', 'GB', 'TB')[power]}"


_ACCENT = re.compile("[àâæçéèêëîïôœùûü]", re.IGNORECASE)


_WORDS = re.compile(r"[^\W\d_]+")


_CYRILLIC = "\u0400-\u052f"


# Parts of a title: Cyrillic to its last letter; the rest up to a colon, a bracket or Cyrillic; signs.
_PARTS = re.compile(
    rf"[{_CYRILLIC}](?:[{_CYRILLIC}\s\d.,;:«»'’-]*[{_CYRILLIC}])?|[^{_CYRILLIC}:;()\[\]–—]+|[:;()\[\]–—]+"
)


@cache
def _title_words() -> Mapping[str, frozenset[str]]:
    """The small words by which a title shows its language (``site/title_words.tsv``)."""
    rows = read_table(data_file("site", "title_words.tsv"), ["lang", "words"])
    return {row["lang"]: frozenset(row["words"].split()) for row in rows}


def title_html(title: str, lang: str) -> Markup:
    """Return the HTML of a title, each stretch marked with its language for screen readers.

    Cyrillic is Russian. The rest is French or English, as its small words and its accents say; where
    they say nothing it goes on as it began: in French in a French document, else as the editors write.

    Args:
        title: an editor's title, often in two languages (``Вистъ: rules of whist``).
        lang: of the document; its orthography goes with the Russian words.
    """
    usual = "fr" if lang.startswith("fr") else publication_settings().language
    russian = lang if lang.startswith("ru") else "ru"
    runs: list[tuple[str, str]] = []
    for part in _PARTS.findall(visible(title)):
        if not _WORDS.search(part):
            own = runs[-1][0] if runs else ""
        elif re.match(f"[{_CYRILLIC}]", part):
            own = russian
        else:
            own = usual = _latin_language(part, usual)
        before = runs.pop()[1] if runs and runs[-1][0] in (own, "") else ""
        runs.append((own, before + part))
    return Markup().join(_marked(part, own or usual) for own, part in runs)


def _latin_language(text: str, usual: str) -> str:
    words = _WORDS.findall(text.lower())
    scores = {lang: sum(w in known for w in words) for lang, known in _title_words().items()}
    scores["fr"] += bool(_ACCENT.search(text))
    best = max(scores.values())
    return usual if scores.get(usual) == best else max(scores, key=lambda lang: scores[lang])


def _marked(text: str, lang: str) -> Markup:
    return Markup('<span lang="{}">{}</span>').format(lang, text) if text.strip() else escape(text)


class FileNames:
    """File names for ids, none used twice, not even by a file system that ignores case.

    Args:
        reserved: names that are taken already.
    """

    def __init__(self, *reserved: str) -> None:
        self._used = set(reserved)

    def assign(self, name: str) -> str:
        """Return a free file name (no ending) for ``name``."""
        base = free = file_name(name)
        count = 1
        while free.casefold() in self._used:
            count += 1
            free = f"{base}~{count}"
        self._used.add(free.casefold())
        return free


class Pages:
    """Renders templates into files of one site.

    Args:
        root: the folder of the site.
        lang: the language of the interface.
    """

    def __init__(self, root: Path, lang: str = "en") -> None:
        self.root = root
        self.lang = lang
        self.t = strings(lang)
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(data_file("site", "templates")),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            finalize=lambda value: visible(value) if type(value) is str else value,
        )
        self._environment.globals.update(
            t=self.t,
            lang=lang,
            version=__version__,
            label=self.label,
            facets=list(facets()),
            interfaces=list(INTERFACES.items()),
            tag_doubtful=TAG_DOUBTFUL,
        )
        self._environment.filters.update(
            percent="{:.0%}".format,
            thousands="{:,}".format,
            size=size,
            title_html=title_html,
            zip=zip,
            json=lambda value: json.dumps(dict(value), ensure_ascii=False, indent=1),
        )

    def label(self, facet: str, value: str) -> str:
        """Return what a concept is called in the language of the interface.

        Args:
            facet: id of its facet.
            value: id of the concept.
        """
        return label(facet, value, self.lang)

    def page(self, path: str, template: str, **values: object) -> None:
        """Write one page.

        Args:
            path: where, relative to the site (``doc/quinze/45.html``).
            template: which template.
            values: what it shows; ``root`` (the way back to the top) and ``here`` are added.
        """
        root = "../" * path.count("/")
        pieces = self._environment.get_template(template).generate(root=root, here=path, **values)
        self.text(path, pieces)

    def text(self, path: str, content: str | Iterable[str]) -> None:
        """Write one file.

        Args:
            path: where, relative to the site.
            content: the text, or its pieces in order.

        Raises:
            OutputError: if it cannot be written.
        """
        target = self.root / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("w", encoding="utf-8", newline="") as file:
                file.writelines([content] if isinstance(content, str) else content)
        except OSError as error:
            raise OutputError(f"cannot be written ({error.strerror})", document=f"site/{path}") from error


def write_translations(pages: Pages) -> None:
    """Write the words that the scripts need, and the interface in the other languages."""
    labels = json.dumps({key: pages.t[key] for key in SCRIPTED}, ensure_ascii=False, separators=(",", ":"))
    pages.text("assets/words.js", f"globalThis.hoyleLabels={labels};\n")
    for lang in INTERFACES:
        if lang != pages.lang:
            body = json.dumps(translations(lang), ensure_ascii=False, separators=(",", ":"))
            pages.text(f"assets/{lang}.js", f"hoyleWords({json.dumps(lang)},{body});\n")


def language_name(pages: Pages, tag: str) -> str:
    """Return what the interface calls a language; its tag where it has no name for it.

    Args:
        pages: the site.
        tag: language-and-orthography tag.
    """
    return interface_word(pages.t, "lang", tag)


class Download(NamedTuple):
    """A file to download: its address (relative to the site), its ending, its size in bytes."""

    href: str
    kind: str
    size: int


class Downloads:
    """The downloads of a build: the files of earlier outputs, linked into the folder of the site.

    The site must work when its folder alone is copied to a memory stick or a server, so its downloads
    lie inside it (``files/``): as hard links, which take no room, where the disk knows them.

    Args:
        build: the folder of the whole build; outputs that were made before the site lie in it.
    """

    def __init__(self, build: Path) -> None:
        self._build = build
        self._site = build / "site"
        self._offered: set[Path] = set()
        self._kinds: list[tuple[Path, str]] | None = None

    def of_document(self, document: str) -> list[Download]:
        """The files that carry the name of a document, in the order of their folders.

        Which kinds there are is learnt from the first document: no folder is listed again and again.
        """
        if self._kinds is None:
            folders = sorted(p for p in self._build.iterdir() if p.is_dir() and p != self._site)
            named = [p for folder in folders for p in sorted(folder.iterdir())]
            self._kinds = [
                (p.parent, p.name.removeprefix(document)) for p in named if p.name.startswith(f"{document}.")
            ]
        return self._offer(p for f, ending in self._kinds if (p := f / f"{document}{ending}").is_file())

    def of_build(self) -> list[Download]:
        """The files that belong to all documents together."""
        found = (
            p
            for p in self._build.rglob("*")
            if p.is_file() and self._site not in p.parents and p.name[0] != "."
        )
        return self._offer(sorted(p for p in found if p not in self._offered))

    def _offer(self, found: Iterable[Path]) -> list[Download]:
        given = []
        for path in found:
            inside = Path("files") / path.relative_to(self._build)
            size = self.place(path, self._site / inside)
            given.append(Download(inside.as_posix(), _kind(path), size))
        return given

    def place(self, path: Path, goal: Path) -> int:
        """Link a file of the build into the site, so that it is not offered again.

        Args:
            path: the file.
            goal: where it is to be.

        Returns:
            Its size in bytes.

        Raises:
            OutputError: it cannot be written.
        """
        self._offered.add(path)
        try:
            goal.parent.mkdir(parents=True, exist_ok=True)
            _link(path, goal)
            return path.stat().st_size
        except OSError as error:
            inside = goal.relative_to(self._site)
            message = f"cannot be written ({error.strerror})"
            raise OutputError(message, document=f"site/{inside}") from error


def _kind(path: Path) -> str:
    """What a file is called in a list: its folder where that says more than its ending."""
    return "TEI" if path.parent.name == "tei" else path.name.split(".", 1)[1].upper()


def _link(path: Path, goal: Path) -> None:
    try:
        os.link(path, goal)
    except OSError:  # a disk without hard links
        shutil.copyfile(path, goal)
