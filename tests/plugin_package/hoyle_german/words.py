"""How often each word stands in a document: ``words/<document id>.tsv``."""

import re
from collections import Counter
from pathlib import Path

from hoyle.document import Document
from hoyle.outputs.plain_text import document_text


class Words:
    """Writes one table a document; see :class:`hoyle.outputs.Output`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "words"

    def add(self, document: Document) -> None:
        """Write the table of ``document``, the most frequent words first."""
        words = Counter(re.findall(r"[^\W\d_]+", document_text(document, "modern").lower()))
        rows = sorted(words.items(), key=lambda row: (-row[1], row[0]))
        self._folder.mkdir(exist_ok=True)
        table = "".join(f"{word}\t{times}\n" for word, times in [("word", "times"), *rows])
        (self._folder / f"{document.id}.tsv").write_text(table, encoding="utf-8")

    def close(self) -> None:
        """Nothing is left to do."""
