"""What all pages of the site share: templates, the table of strings, addresses, labels, files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from hoyle import __version__
from hoyle.document.publication import publication
from hoyle.errors import OutputError, TableError
from hoyle.facets import concept, facets, interface_texts
from hoyle.outputs.site.text import visible
from hoyle.tables import data_file, read_table

TAG_DOUBTFUL = 0.5
"""Below this probability a tag is shown with a question mark."""

INTERFACES = {"en": "English", "fr": "Français", "ru": "Русский"}
"""Languages of the interface, each by its own name."""
SCRIPTED = (
    "ocr_had",
    "layer_raw",
    "layer_corrected",
    "layer_modern",
    "by_whom",
    "how_sure",
    "doubtful",
    "copy_it",
    "copied",
    "this_clause_in",
)
"""Keys of the strings that scripts show."""


@cache
def strings(lang: str) -> Mapping[str, str]:
    """The words of the interface in one language by key: ``site/strings.tsv`` and those of the facets.

    Raises:
        TableError: a key is given twice or has no text.
    """
    found: dict[str, str] = {}
    for row in read_table(data_file("site", "strings.tsv"), ["key", *INTERFACES]):
        if row["key"] in found or not row[lang]:
            raise TableError(f"the key {row['key']!r} is given twice or has no text", document=row.where)
        found[row["key"]] = row[lang]
    for key, text in interface_texts(lang):
        if key in found:
            raise TableError(f"the key {key!r} belongs to a facet", document="site/strings.tsv")
        found[key] = text
    return found


def label(facet: str, value: str, lang: str = "en") -> str:
    """What a concept is called; the id itself where the vocabulary does not have it."""
    found = concept(facet, value)
    return found.label(lang) if found else value


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


def spoken(title: str, lang: str) -> Markup:
    """HTML of a title, each stretch marked with its language for screen readers.

    Cyrillic is Russian. The rest is French or English, as its small words and its accents say; where
    they say nothing it goes on as it began: in French in a French document, else as the editors write.

    Args:
        title: an editor's title, often in two languages (``Вистъ: rules of whist``).
        lang: of the document; its orthography goes with the Russian words.
    """
    usual = "fr" if lang.startswith("fr") else publication().language
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


class Names:
    """File names for ids, none used twice, not even by a file system that ignores case."""

    def __init__(self, *reserved: str) -> None:
        self._used = set(reserved)

    def give(self, name: str) -> str:
        """A free file name (no ending) for ``name``."""
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
            spoken=spoken,
            zip=zip,
            json=lambda value: json.dumps(dict(value), ensure_ascii=False, indent=1),
        )

    def label(self, facet: str, value: str) -> str:
        """What a concept is called in the language of the interface."""
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
        """Write one file, piece by piece if ``content`` comes so.

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


def translations(lang: str) -> Mapping[str, str]:
    """The English words of the interface and the vocabularies, each with what ``lang`` says.

    English words are the keys, as in gettext; where two places of the interface need different
    words in another language, their English must differ too.
    """
    found: dict[str, str] = {}
    english, other = strings("en"), strings(lang)
    for facet in facets().values():
        for entry in facet.concepts.values():
            found[entry.label("en")] = entry.label(lang)
    for key, text in english.items():
        found[text] = other[key]
    return {text: made for text, made in sorted(found.items()) if text != made}


def languages(pages: Pages) -> None:
    """Write the words that the scripts need, and the interface in the other languages."""
    labels = json.dumps({key: pages.t[key] for key in SCRIPTED}, ensure_ascii=False, separators=(",", ":"))
    pages.text("assets/words.js", f"globalThis.hoyleLabels={labels};\n")
    for lang in INTERFACES:
        if lang != pages.lang:
            body = json.dumps(translations(lang), ensure_ascii=False, separators=(",", ":"))
            pages.text(f"assets/{lang}.js", f"hoyleWords({json.dumps(lang)},{body});\n")


def facet_styles() -> str:
    """The CSS of the tags in the margin: the colours (light, dark, in print) and styles of the facets."""
    media = {
        "light": "{}",
        "dark": "@media (prefers-color-scheme: dark) {{ {} }}",
        "print": "@media print {{ {} }}",
    }
    lines = []
    for id_, facet in facets().items():
        if facet.style:
            lines.append(f".chip.{id_} {{ {facet.style}; }}")
        for kind, around in media.items():
            if colour := facet.colour.get(kind):
                lines.append(around.format(f".chip.{id_} {{ color: {colour}; }}"))
    return "".join(f"{line}\n" for line in lines)
