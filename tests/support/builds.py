"""Texts to build, and what came of them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hoyle import loading


def sums(folder: Path) -> dict[str, str]:
    """The checksum of every file below a folder, by its path."""
    files = (p for p in sorted(folder.rglob("*")) if p.is_file())
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def text_file(folder: Path, name: str, text: str) -> loading.Request:
    """A text written into a folder, as a document to be built."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return loading.Request(path)
