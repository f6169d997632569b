"""Write the figures of ``hoyle evaluate`` to ``site/figures.json``, for the site's page about the edition.

    python pipeline/training/write_figures.py tests/golden/editions/*.json

The file names the version and the state of rules and models that were measured. A site built with
another state says that the figures are of an earlier one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hoyle import __version__
from hoyle.evaluate import WITH_DECISIONS, evaluate
from hoyle.outputs.site.about import fingerprint
from hoyle.tables import data_file

DIGITS = 4


def main(gold: list[Path]) -> None:
    """Measure the gold editions and write the file."""
    root = Path.cwd()
    documents: dict[str, dict[str, Any]] = {}
    for path in gold:
        sha256 = json.loads(path.read_text(encoding="utf-8"))["sha256"]
        for name, made in evaluate(path, root).items():
            kind = "published" if name.endswith(WITH_DECISIONS) else "machine"
            figures = {figure: round(value, DIGITS) for figure, value in made.figures().items()}
            documents.setdefault(made.document, {"sha256": sha256})[kind] = figures
    value = {"version": __version__, "knowledge": fingerprint(), "documents": documents}
    goal = data_file("site", "templates").parent / "figures.json"
    goal.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{goal}: {len(documents)} documents")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
