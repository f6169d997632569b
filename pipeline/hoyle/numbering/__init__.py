"""Numbering schemes, one file each, and the decoder that reads a sequence of labels.

To add a scheme: one file with a class that follows :class:`hoyle.numbering.scheme.Scheme`, one
line in ``SCHEMES``, one golden case. A plug-in adds one by an entry point of ``hoyle.numbering``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from hoyle import plugins
from hoyle.errors import StageError
from hoyle.numbering.arabic import Arabic
from hoyle.numbering.article import Article
from hoyle.numbering.auto import Auto
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
            Auto(),
            Ordinal(),
            Letter("latin", LATIN),
            Letter("cyrillic", CYRILLIC),
        )
    }
)
"""Hoyle's own schemes by name, outermost first."""

LETTERS = ("latin", "cyrillic")
"""The schemes that go by the name of ``letter`` in ``meta.toml`` and in tables."""


@cache
def schemes() -> Mapping[str, Scheme]:
    """Every scheme by name: Hoyle's own, then those of plug-ins.

    Raises:
        PluginError: a plug-in cannot be used.
    """
    added: Mapping[str, Scheme] = plugins.additions(
        plugins.NUMBERING,
        Scheme,  # type: ignore[type-abstract]  # mypy: protocols are passed like classes
        ("detect", "letter", *SCHEMES),
    )
    return MappingProxyType({**SCHEMES, **added})


def resolve(names: Iterable[str]) -> tuple[str, ...]:
    """The schemes that an editor's list names, in the order in which they are looked for.

    Args:
        names: names of schemes; ``letter`` is both alphabets, ``detect`` is all of Hoyle's own. A scheme
            of a plug-in must be named: texts that do not name it are read as without it.

    Raises:
        StageError: if there is no scheme of that name.
    """
    several = {"detect": tuple(SCHEMES), "letter": LETTERS}
    found: list[str] = []
    for name in sorted(names, key=lambda name: name != "detect"):
        if name not in several and name not in schemes():
            known = ", ".join((*several, *schemes()))
            raise StageError(f"unknown numbering scheme {name!r} in meta.toml; known are {known}")
        found += several.get(name, [name])
    return tuple(dict.fromkeys(found or SCHEMES))


def public_name(scheme: str) -> str:
    """The name of a scheme in tables."""
    return "letter" if scheme in LETTERS else scheme
