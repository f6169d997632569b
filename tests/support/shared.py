"""Texts beside the repository that may be read but are no part of it.

They lie in ``../shared``; the environment variable ``HOYLE_SHARED`` may name another folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(os.environ.get("HOYLE_SHARED") or Path(__file__).parents[3] / "shared")
DOCUMENTS = ("fr03", "fr05", "fr07", "fr09", "ru03", "ru05", "ru09", "ru12", "ru14", "ru16", "ru19")
"""Names of the rule texts in ``documents``, so that each is skipped by name where they are missing."""


def shared(path: str) -> Path:
    """A file or folder there; without it the running test is skipped."""
    __tracebackhide__ = True
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"{found} is missing; HOYLE_SHARED may name the folder that holds {path}")
    return found


def raw_text(name: str) -> str:
    """The text of a document as it was found, line ends included."""
    return shared(f"documents/raw/{name}.txt").read_bytes().decode()


def gold_units(name: str) -> list[dict[str, Any]]:
    """The units of a document as its reader marked them."""
    return gold_document(name)["units"]


def gold_document(name: str) -> dict[str, Any]:
    """The gold of a document: ``lang`` and ``units``."""
    return json.loads(shared(f"documents/gold/{name}.json").read_text(encoding="utf-8"))
