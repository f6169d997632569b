"""Plain text: one file a layer, the units in reading order with an empty line between them."""

from __future__ import annotations

from pathlib import Path

from hoyle.document import Document, Layer
from hoyle.document.text_layers import layer_text, normalise_whitespace
from hoyle.outputs.files import DocumentFolder

LAYERS: tuple[Layer, ...] = ("raw", "corrected", "modern")


class PlainText:
    """Writes ``text/<document id>.<layer>.txt``; see :class:`hoyle.outputs.Output`."""

    def __init__(self, folder: Path) -> None:
        self._folder = DocumentFolder(folder / "text")

    def add(self, document: Document) -> None:
        """Write the three files of ``document``."""
        for layer in LAYERS:
            data = document_text(document, layer).encode("utf-8", "replace")
            self._folder.write(document.id, f".{layer}.txt", data)

    def close(self) -> None:
        """Do nothing: every document is written when it is added."""


def document_text(document: Document, layer: Layer) -> str:
    """Return the text of a document in one layer, without furniture.

    Args:
        document: with all its layers.
        layer: ``raw`` has the characters of the source as they are, line ends and controls
            included; in ``corrected`` and ``modern`` white space is single.
    """
    texts = (layer_text(document, unit.spans, layer).text for unit in document.units)
    kept = [tidy for text in texts if (tidy := text if layer == "raw" else normalise_whitespace(text))]
    return "\n\n".join(kept) + "\n" if kept else ""
