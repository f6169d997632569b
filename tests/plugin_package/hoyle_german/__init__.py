"""German rulebooks in Fraktur for Hoyle: an example of a package that adds one thing of each kind."""

from pathlib import Path

DE_FRAKTUR = Path(__file__).parent / "de_fraktur"
"""The tables of German in the orthography before 1901."""
