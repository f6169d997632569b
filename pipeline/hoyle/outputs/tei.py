"""The edition in TEI-XML: one file a document, from which its raw text can be rebuilt."""

from __future__ import annotations

from hoyle.document import Document
from hoyle.outputs.files import DocumentFiles, Files
from hoyle.tei.write import tei_bytes

__all__ = ["TeiOutput", "tei_bytes"]


class TeiOutput(DocumentFiles):
    """Writes ``tei/<document id>.xml``; see :class:`hoyle.outputs.Output`."""

    subfolder = "tei"

    @staticmethod
    def files(document: Document) -> Files:
        """See :meth:`DocumentFiles.files`."""
        return {".xml": tei_bytes(document)}
