"""Hoyle: from OCR'd rulebooks of games to an annotated, citable edition.

What is named here is the public interface; it is documented in :mod:`hoyle.api` and loaded when it is
first used, so that ``import hoyle`` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoyle.api import (
        AnnotatedDocument,
        AnnotatedUnit,
        HoyleError,
        Pipeline,
        Stage,
        build,
        clauses,
        correct,
        from_tei,
        from_text,
        modernise,
        query,
        read,
        verify,
    )
    from hoyle.languages import languages

__version__ = "0.1.0"

__all__ = [
    "AnnotatedDocument",
    "AnnotatedUnit",
    "HoyleError",
    "Pipeline",
    "Stage",
    "__version__",
    "build",
    "clauses",
    "correct",
    "from_tei",
    "from_text",
    "languages",
    "modernise",
    "query",
    "read",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only where something is asked for

    if name == "languages":
        return import_module("hoyle.languages")
    value = globals()[name] = getattr(import_module("hoyle.api"), name)
    return value


def __dir__() -> list[str]:
    return __all__
