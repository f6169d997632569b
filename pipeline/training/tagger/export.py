"""Writes a trained tagger as ONNX with its note, and checks that both give the same answers.

python pipeline/training/tagger/export.py CHECKPOINT NET_FOLDER --lang ru-petr1708 --machine "…"
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import onnxruntime
import torch
from model import Decided, Shape, Tagger
from torch.optim.swa_utils import AveragedModel

from hoyle.correction.tagger import FREQUENCY_CLASSES

NAMES = ("becomes", "becomes_p", "after", "after_p")


def export(saved: dict[str, Any], path: Path) -> None:
    """Write the tagger of a checkpoint to ``path``.

    Raises:
        SystemExit: if the written net answers otherwise than the trained one.
    """
    inputs, outputs = (len(saved["alphabet"][k]) + 2 for k in ("inputs", "outputs"))
    averaged = AveragedModel(Tagger(Shape(inputs, outputs)))
    averaged.load_state_dict(saved["averaged"])
    decided = Decided(averaged.module).eval()
    generator = torch.Generator().manual_seed(0)
    chars = torch.randint(1, inputs, (2, 300), generator=generator)
    known = torch.randint(0, FREQUENCY_CLASSES, (2, 300), generator=generator)
    profile = torch.rand((2, inputs), generator=generator) / 10
    axes = {name: {0: "batch", 1: "character"} for name in ("chars", "known", *NAMES)}
    axes["profile"] = {0: "batch"}
    torch.onnx.export(
        decided,
        (chars, known, profile),
        str(path),
        input_names=["chars", "known", "profile"],
        output_names=list(NAMES),
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    given = {"chars": chars, "known": known, "profile": profile}
    got = session.run(None, {name: value.numpy() for name, value in given.items()})
    with torch.no_grad():
        want = [part.numpy() for part in decided(chars, known, profile)]
    if not all(np.allclose(got[i], want[i], atol=1e-4) for i in (1, 3)):
        raise SystemExit("the exported net answers otherwise than the trained one")


def _toml(text: str) -> str:
    return '"' + "".join(f"\\u{ord(c):04X}" if c in '"\\' or not c.isprintable() else c for c in text) + '"'


def note(saved: dict[str, Any], command: str, sources: list[str], machine: str) -> str:
    """The note of a net: how it was made, and its alphabets."""
    progress = saved["progress"]
    lines = [
        "# What the tagger of this name was trained on and how; its alphabets (classes from 2 on).",
        f"command = {_toml(command)}",
        "sources = [",
        *(f"    {_toml(source)}," for source in sources),
        "]",
        f"machine = {_toml(machine)}",
        f"minutes = {progress['seconds'] / 60:.1f} # of training",
        f"steps = {progress['steps']}",
        f"characters = {progress['characters']} # seen",
        f"inputs = {_toml(saved['alphabet']['inputs'])}",
        f"outputs = {_toml(saved['alphabet']['outputs'])}",
    ]
    return "\n".join(lines) + "\n"


SOURCES = {
    "ru-petr1708": [
        "ru/corpus_ru_petr1708.txt.xz: Russian of 1839-1910 (prints free; Tolstoy, transcription CC BY-SA)",
        "ru/ocr_abbyy_dev.jsonl.xz: OCR of 1840-49 and its correction (prints free), a tenth held back",
        "ru/civil_dev.jsonl: scans of 1752-1801 (transcription MIT, M. Levchenko), half of the pages",
        "ru/render_train.jsonl.xz and pages made by render.py: the corpus set in type and read by tesseract",
    ],
    "fr": [
        "fr/corpus_fr_1840_1920.txt.xz: French novels of 1840-1920 (public domain)",
        "fr/gallica_trictrac_dev.jsonl: OCR of a manual of 1852 (print free), the last quarter kept back",
        "fr/prints_dev.jsonl: scans of prints of 1560-1830 (OCR17, S. Gabay, CC BY 4.0), two of three prints",
        "fr/prints18_dev.jsonl: scans of prints of 1600-1800 (Gallicorpora, CC0), two of three prints",
        "fr/render_train.jsonl.xz and pages made by render.py: the corpus set in type and read by tesseract",
    ],
}


def main() -> None:
    """Export what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lang", required=True, choices=sorted(SOURCES))
    parser.add_argument("--machine", required=True, help="what it was trained on")
    chosen = parser.parse_args()
    saved = torch.load(chosen.checkpoint, weights_only=True)
    path = chosen.folder / f"tagger_{chosen.lang.replace('-', '_')}.onnx"
    export(saved, path)
    command = f"python pipeline/training/tagger/run.py DATA_FOLDER --lang {chosen.lang}"
    text = note(saved, command, SOURCES[chosen.lang], chosen.machine)
    path.with_suffix(".toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
