"""Plain text: one file a layer, the units in reading order with an empty line between them."""

from __future__ import annotations

from hoyle.document import Document, Layer
from hoyle.document.text_layers import layer_text, normalise_whitespace
from hoyle.outputs.files import DocumentFiles, Files

LAYERS: tuple[Layer, ...] = ("raw", "corrected", "modern")


class PlainText(DocumentFiles):
    """Writes ``text/<document id>.<layer>.txt``; see :class:`hoyle.outputs.Output`."""

    subfolder = "text"

    @staticmethod
    def files(document: Document) -> Files:
        """See :meth:`DocumentFiles.files`."""
        return {
            f".{layer}.txt": document_text(document, layer).encode("utf-8", "replace") for layer in LAYERS
        }


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
