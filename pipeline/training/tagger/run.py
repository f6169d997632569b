"""Trains the edit tagger of one orthography, from corpus to checkpoint.

    python pipeline/training/tagger/run.py DATA_FOLDER --lang ru-petr1708 --minutes 50 --work FOLDER
        [--rendered FILE]... [--against FILE]... [--measure FILE]...

A folder that holds a checkpoint is gone on from. Needs ``hoyle[train]``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch
from data import forbidden, material, unbroken
from noise import STYLED, noise_for
from pairs import Pair, read_pairs
from samples import Alphabet, Sampler, sound
from train import Trainer

from hoyle.languages import language


def main() -> None:
    """Run the training that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder with ru/ and fr/")
    parser.add_argument("--lang", required=True, choices=sorted(STYLED))
    parser.add_argument("--minutes", type=float, required=True, help="of the processor, in this training run")
    parser.add_argument("--work", type=Path, required=True, help="folder of checkpoint and log")
    parser.add_argument("--against", type=Path, nargs="*", default=[], help="texts the tagger must never see")
    parser.add_argument("--measure", type=Path, nargs="*", default=[], help="pairs to measure on, not seen")
    parser.add_argument("--rendered", type=Path, nargs="*", default=[], help="pairs made by render.py")
    parser.add_argument("--characters", type=int, default=40_000_000, help="of clean corpus")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    chosen.work.mkdir(parents=True, exist_ok=True)
    words = language(chosen.lang).lexicon
    against = forbidden([*chosen.against, *chosen.measure])
    found = material(chosen.data, chosen.lang, words, against, chosen.characters, rendered=chosen.rendered)
    print(f"clean {len(found.clean)} passages, {sum(map(len, found.clean))} characters")
    print("pairs", {name: len(pairs) for name, pairs in found.pairs.items()})
    print("held", {name: len(pairs) for name, pairs in found.held.items()}, flush=True)
    trainer = Trainer(chosen.work, Alphabet.of(found), words, chosen.seed)
    # Each training run draws other samples; the step it starts at makes them the same in every repetition.
    seed = chosen.seed + trainer.progress.steps
    sampler = Sampler(found, noise_for(chosen.lang, found.pairs), trainer.alphabet, words, chosen.lang, seed)
    measured: dict[str, list[Pair]] = {f"held {n}": sound(p, 200) for n, p in found.held.items()}
    for path in chosen.measure:
        measured[path.name] = [unbroken(p) for p in sound(list(read_pairs(path)), 50)]
    trainer.run(sampler, measured, chosen.minutes)


if __name__ == "__main__":
    main()
