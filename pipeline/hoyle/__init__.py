"""Hoyle: from OCR'd rulebooks of games to an annotated, citable edition."""

__version__ = "0.1.0"
