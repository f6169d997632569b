"""Proves a TEI file: its schema, its sense, and the raw text that it holds (see :mod:`hoyle.tei.verify`)."""

from __future__ import annotations

from hoyle.tei.problems import Problem
from hoyle.tei.verify import by_hand, verify, verify_bytes

__all__ = ["Problem", "by_hand", "verify", "verify_bytes"]
