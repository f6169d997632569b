"""What all pages of the site share: templates, the table of strings, addresses, labels, files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import quote

import jinja2

from hoyle import __version__
from hoyle.errors import OutputError, TableError
from hoyle.outputs.site_text import visible
from hoyle.tables import Concept, data_file, read_table, vocabulary

FACETS: Mapping[str, str] = {
    "game": "games",
    "actor": "actors",
    "offence": "offences",
    "penalty": "penalties",
    "modality": "modalities",
}
"""The ways into the corpus: facet of a tag, and the vocabulary its values come from."""

TAG_DOUBTFUL = 0.5
"""Below this probability a tag is shown with a question mark."""

INTERFACES = ("en", "fr", "ru")


@cache
def strings(lang: str) -> Mapping[str, str]:
    """The words of the interface in one language (``site/strings.tsv``) by key.

    Raises:
        TableError: a key is given twice or has no text.
    """
    found: dict[str, str] = {}
    for row in read_table(data_file("site", "strings.tsv"), ["key", *INTERFACES]):
        if row["key"] in found or not row[lang]:
            raise TableError(f"the key {row['key']!r} is given twice or has no text", document=row.where)
        found[row["key"]] = row[lang]
    return found


def concept(facet: str, value: str) -> Concept | None:
    """The concept of the vocabulary behind a tag, if the vocabulary has it."""
    return vocabulary(FACETS[facet]).get(value)


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
            facets=list(FACETS),
            tag_doubtful=TAG_DOUBTFUL,
        )
        self._environment.filters["percent"] = "{:.0%}".format

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
