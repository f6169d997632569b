"""Numbering schemes, one file each, and the decoder that reads a sequence of labels.

To add a scheme: one file with a class that follows :class:`hoyle.numbering.scheme.Scheme`, one
line in ``SCHEMES``, one golden case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from hoyle.errors import StageError
from hoyle.numbering.arabic import Arabic
from hoyle.numbering.article import Article
from hoyle.numbering.decimal import Decimal
from hoyle.numbering.letter import CYRILLIC, LATIN, Letter
from hoyle.numbering.named_rule import NamedRule
from hoyle.numbering.ordinal import Ordinal
from hoyle.numbering.roman import Roman
from hoyle.numbering.scheme import Scheme
from hoyle.numbering.section_sign import SectionSign

SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        scheme.name: scheme
        for scheme in (
            Article(),
            NamedRule(),
            SectionSign(),
            Roman(),
            Arabic(),
            Decimal(),
            Ordinal(),
            Letter("latin", LATIN),
            Letter("cyrillic", CYRILLIC),
        )
    }
)
"""Every scheme by name, outermost first."""

LETTERS = ("latin", "cyrillic")
"""The schemes that go by the name of ``letter`` in ``meta.toml`` and in tables."""


def resolve(names: Iterable[str]) -> tuple[str, ...]:
    """The schemes that an editor's list names: ``letter`` is both alphabets, ``detect`` is all.

    Raises:
        StageError: if there is no scheme of that name.
    """
    found: list[str] = []
    for name in names:
        if name == "detect":
            return tuple(SCHEMES)
        if name != "letter" and name not in SCHEMES:
            known = ", ".join(("detect", "letter", *SCHEMES))
            raise StageError(f"unknown numbering scheme {name!r} in meta.toml; known are {known}")
        found += LETTERS if name == "letter" else [name]
    return tuple(found) or tuple(SCHEMES)


def public_name(scheme: str) -> str:
    """The name of a scheme in tables."""
    return "letter" if scheme in LETTERS else scheme
