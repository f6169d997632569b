"""Measures how fast the outputs are written and whether their memory grows with the corpus.

    python pipeline/training/measure_scale.py [--megabytes 1 10 100] [--outputs tei tables]

The corpus is annotated once and then given to an output again and again under new ids, until the
source texts amount to so many megabytes (of UTF-8). Each measurement is a process of its own, so
that its peak memory is its own. Characters are those of the source texts; the time is the
processor time of the output alone. Figures are for the machine they are run on.
"""

from __future__ import annotations

import argparse
import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from hoyle.document import Block, Clause, Condition, Document, Item, Reference, Tag

OUTPUTS = {"tei": ("hoyle.outputs.tei", "TeiOutput"), "tables": ("hoyle.outputs.tables", "Tables")}


def renamed(document: Document, suffix: str) -> Document:
    """The document under another id, and with it all ids that begin with it."""
    old, new = document.id, document.id + suffix

    def other(ident: str) -> str:
        return new + ident[len(old) :] if ident else ident

    def changed(item: Item) -> Item:
        match item:
            case Clause():
                return replace(item, id=other(item.id), under=other(item.under))
            case Block():
                return replace(item, id=other(item.id), parent=other(item.parent))
            case Tag() | Condition():
                return replace(item, unit=other(item.unit))
            case Reference():
                return replace(item, unit=other(item.unit), target=other(item.target))
        return item

    layers = {name: tuple(map(changed, items)) for name, items in document.layers.items()}
    return Document(replace(document.source, id=new), replace(document.meta, id=new), layers)


def corpus(documents: Sequence[Document], size: int) -> Iterator[Document]:
    """The documents again and again, until there are ``size`` bytes of source text."""
    for n in count(1):
        for document in documents:
            if size <= 0:
                return
            size -= document.source.size
            yield renamed(document, f"-{n:06}")


def measure(name: str, size: int, annotated_file: Path) -> dict[str, Any]:
    """Write one output of a corpus of ``size`` bytes; what it took."""
    module, cls = OUTPUTS[name]
    made = getattr(__import__(module, fromlist=[cls]), cls)
    documents: list[Document] = pickle.loads(annotated_file.read_bytes())  # noqa: S301 - written by this script
    characters = written = 0
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder:
        output = made(Path(folder))
        for document in corpus(documents, size):
            started = time.process_time()
            output.add(document)
            spent += time.process_time() - started
            characters += len(document.source.text)
            written += 1
        started = time.process_time()
        output.close()
        spent += time.process_time() - started
    return {
        "output": name,
        "megabytes": size / 1e6,
        "documents": written,
        "characters_per_second": round(characters / spent),
        "seconds": round(spent, 1),
        "peak_mb": round(peak_kb() / 1024),
    }


def peak_kb() -> int:
    """The most memory this process has held, in KiB (Linux; ``ru_maxrss`` would count its parent's too)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def main() -> None:
    """Read the command line."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--megabytes", nargs="+", type=float, default=[1, 10, 100])
    parser.add_argument("--outputs", nargs="+", choices=OUTPUTS, default=list(OUTPUTS))
    parser.add_argument("--one", nargs=3, metavar=("OUTPUT", "BYTES", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        name, size, file = options.one
        print(json.dumps(measure(name, int(size), Path(file))))
        return
    from hoyle import loading  # noqa: PLC0415 - measurements shall hold nothing but the output
    from hoyle.batch.annotate import annotate_document  # noqa: PLC0415

    documents = [annotate_document(request, Path()) for request in loading.corpus(Path())]
    with tempfile.NamedTemporaryFile(suffix=".pickle") as file:
        file.write(pickle.dumps(documents))
        file.flush()
        for name in options.outputs:
            for megabytes in options.megabytes:
                one = [sys.executable, __file__, "--one", name, str(int(megabytes * 1e6)), file.name]
                done = subprocess.run(one, check=True, capture_output=True, text=True)  # noqa: S603 - this script
                print(done.stdout.strip(), flush=True)


if __name__ == "__main__":
    main()
