"""Languages and orthographies: one folder of tables each, and what is loaded for them.

A folder ``xx_yyyy`` holds ``language.toml`` (what it is, its alphabet, what it is modernised to)
and the tables that the stages ask for by name. A language is added by adding a folder here, or in
a plug-in of the entry-point group ``hoyle.languages``; see CONTRIBUTING.

:func:`hoyle.pipeline.run` looks a document's language up once and hands it to each stage; what is
compiled or loaded for it (:meth:`Language.resource`) belongs to that object.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar, cast

from hoyle.errors import HoyleError, TableError
from hoyle.plugins import LANGUAGES, folders, unusable
from hoyle.resources import Lexicon
from hoyle.resources.letters import Letters
from hoyle.resources.modern import Dictionary, dictionary
from hoyle.tables import Row, data_file, read_table, read_toml

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Language:
    """A language in one orthography, with everything that is loaded for it.

    Attributes:
        tag: BCP 47 tag (``ru-petr1708``); the folder is the tag with ``_`` for ``-``.
        name: its English name.
        base: ISO 639 code of the language (``ru``, ``fr``).
        modern: tag of the orthography its texts are modernised to.
        letters: its alphabet, small letters.
        settings: all of ``language.toml``.
        folder: where its tables lie.
    """

    tag: str
    name: str
    base: str
    modern: str
    letters: frozenset[str]
    settings: Mapping[str, Any]
    folder: Path
    _resources: dict[Callable[[Language], Any], Any] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Callable[[str], Language], tuple[str]]:
        """Between processes only the tag travels."""
        return language, (self.tag,)

    def table(self, name: str, columns: Collection[str]) -> list[Row]:
        """The rows of ``<name>.tsv`` in this language's folder.

        Args:
            name: the name of the table, without suffix.
            columns: columns that it must have.

        Returns:
            The rows, or ``[]`` if the language has no such table.

        Raises:
            TableError: see :func:`hoyle.tables.read_table`.
        """
        path = self.folder / f"{name}.tsv"
        return read_table(path, columns) if path.exists() else []

    def resource(self, make: Callable[[Language], T]) -> T:
        """What ``make`` builds from this language, built when first asked for and then kept."""
        if make not in self._resources:
            self._resources[make] = make(self)
        return cast("T", self._resources[make])

    def data_folder(self, file: str) -> Path | None:
        """The folder that has the data file ``file`` (a lexicon, a model): its own, else the package's."""
        folders = (self.folder, data_file("resources"))
        return next((folder for folder in folders if (folder / file).exists()), None)

    @property
    def has_lexicon(self) -> bool:
        """Whether word forms of this orthography have been counted."""
        return self.data_folder(_lexicon_file(self)) is not None

    @property
    def lexicon(self) -> Lexicon:
        """The word forms of this orthography with their counts.

        Raises:
            TableError: there are none (see :attr:`has_lexicon`), or a file is broken.
        """
        return self.resource(_lexicon)

    @property
    def letter_sequences(self) -> Letters | None:
        """Counted sequences of letters of the language; ``None`` if there are none."""
        return self.resource(_letters)

    @property
    def dictionary(self) -> Dictionary:
        """Word forms of the present-day language; empty if there is no list."""
        return self.resource(_dictionary)

    @property
    def corrects_words(self) -> bool:
        """Whether words of its texts are corrected: it has a lexicon, and ``[correct]`` allows it."""
        allowed = self.settings.get("correct", {}).get("lexicon", "correct" in self.settings)
        return bool(allowed) and self.has_lexicon

    @property
    def modern_language(self) -> Language:
        """The orthography that its texts are modernised to."""
        return self if self.modern == self.tag else language(self.modern)

    @property
    def orthographies(self) -> tuple[Language, ...]:
        """The orthographies whose words may stand in its texts: its own and the modern one.

        A text of undetermined language may be in any language.
        """
        if self is UNDETERMINED:
            return tuple(languages().values())
        return tuple(dict.fromkeys((self, self.modern_language)))

    @property
    def cue_language(self) -> Language:
        """The language whose cue tables its texts are tagged with (``cues`` in ``language.toml``)."""
        tag = self.settings.get("cues", self.tag)
        return self if tag == self.tag else language(tag)


def _lexicon_file(language: Language) -> str:
    return f"lexicon_{language.tag.replace('-', '_')}.toml"


def _lexicon(language: Language) -> Lexicon:
    return Lexicon(language.tag, language.data_folder(_lexicon_file(language)) or data_file("resources"))


def _letters(language: Language) -> Letters | None:
    folder = language.data_folder(f"letters_{language.base}.marisa")
    return Letters(language.base, folder) if folder else None


def _dictionary(language: Language) -> Dictionary:
    return dictionary(language.base, language.data_folder(f"modern_{language.base}.marisa"))


UNDETERMINED = Language("und", "undetermined", "", "und", frozenset(), {}, data_file("languages") / "und")
"""The language of a text that fits none: it has no tables, so the stages leave such a text alone."""


@cache
def languages() -> Mapping[str, Language]:
    """All languages by tag: those of this package and those of plug-ins, sorted by tag.

    Raises:
        TableError: a ``language.toml`` lacks a key.
        PluginError: a plug-in cannot be used.
    """
    own = [read_language(path.parent) for path in data_file("languages").glob("*/language.toml")]
    found = {one.tag: one for one in own}
    for name, folder in folders(LANGUAGES).items():
        added = read_language(folder)
        if added.tag != name:
            raise unusable(LANGUAGES, name, f"its folder is called {folder.name}, as if for {added.tag!r}")
        if name in found:
            raise unusable(LANGUAGES, name, "Hoyle has a language with this tag")
        found[name] = added
    return MappingProxyType(dict(sorted(found.items())))


def language(tag: str) -> Language:
    """The language with this tag; :data:`UNDETERMINED` for ``und``.

    Raises:
        HoyleError: there is no such language; the message names those there are.
    """
    if tag == UNDETERMINED.tag:
        return UNDETERMINED
    if tag not in languages():
        raise HoyleError(f"unknown language {tag!r}; known are {', '.join(languages())}")
    return languages()[tag]


def read_language(folder: Path) -> Language:
    """The language whose tables lie in ``folder``.

    Raises:
        TableError: ``language.toml`` is missing, broken or lacks a key.
    """
    settings = read_toml(folder / "language.toml")
    try:
        return Language(
            tag=folder.name.replace("_", "-"),
            name=settings["name"],
            base=settings["base"],
            modern=settings["modern"],
            letters=frozenset(settings["letters"]),
            settings=settings,
            folder=folder,
        )
    except KeyError as error:
        raise TableError(
            f"lacks the key {error}", document=f"languages/{folder.name}/language.toml"
        ) from None


class _Languages(ModuleType):
    """Makes ``hoyle.languages()`` give the languages, though it is the name of this package too."""

    def __call__(self) -> Mapping[str, Language]:
        return languages()


sys.modules[__name__].__class__ = _Languages
