"""Inputs: one file a format. ``INPUTS`` maps a file's suffix to what reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from hoyle.inputs import text

INPUTS: Mapping[str, Callable[..., text.Read]] = MappingProxyType(
    {".txt": text.decode, ".text": text.decode, ".md": text.decode}
)
"""Reads the bytes of a file: ``INPUTS[suffix](data, name=…, encoding=…)``."""
