"""Trains a tagger: seeded, resumable from its checkpoint, with a log of figures."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import torch
from model import Shape, Tagger
from pairs import Pair
from samples import IGNORE, Alphabet, Batch, Sampler
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel

from hoyle.correction.tagger import character_profile, frequency_classes, normalise_signs
from hoyle.evaluate.text import TextScore, score_text
from hoyle.resources import Lexicon

RATE = 3e-3
"""Highest learning rate of AdamW; warmed up over :data:`WARM` steps."""

WARM = 100

FALLS = 2500
"""Steps from which on the learning rate falls with the inverse square root of the steps.

Such a rate has no end that must be known beforehand: a training can be gone on from at any time.
"""

AVERAGED = 0.998
"""Weight of the old in the moving average of the tagger's weights, which is measured and exported.

It does for a net at any time what letting the learning rate fall to nothing does at the end (Izmailov et
al., Averaging weights leads to wider optima, 2018).
"""

EVERY = 180.0
"""Seconds of training between two checkpoints."""

GROWTH = 1.6
"""Figures are taken each time so many times the characters have been seen, and at the end of a run."""

FIRST = 700_000
"""Characters seen that the first figures wait for, divided by :data:`GROWTH`."""


@dataclass
class Progress:
    """How far a training has come, over all sittings; seconds are of the processor, in training only."""

    seconds: float = 0.0
    steps: int = 0
    characters: int = 0
    loss: float = 0.0


class Trainer:
    """Trains the tagger in a folder of its own.

    Args:
        folder: where ``checkpoint.pt`` and ``log.jsonl`` are kept; an older checkpoint is gone on from.
        alphabet: characters in and out.
        lexicon: tells how common words are.
        seed: of the tagger and the samples.
    """

    def __init__(self, folder: Path, alphabet: Alphabet, lexicon: Lexicon, seed: int) -> None:
        torch.manual_seed(seed)
        self._folder, self._lexicon = folder, lexicon
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.alphabet, self.progress = alphabet, Progress()
        path = folder / "checkpoint.pt"
        saved: dict[str, Any] | None = torch.load(path, weights_only=True) if path.exists() else None
        if saved:
            self.alphabet = Alphabet(**saved["alphabet"])
            self.progress = Progress(**saved["progress"])
        self.shape = Shape(len(self.alphabet.inputs) + 2, len(self.alphabet.outputs) + 2)
        self.net = Tagger(self.shape).to(self._device)
        self.averaged = AveragedModel(self.net, multi_avg_fn=_average)
        self._optimizer = torch.optim.AdamW(self.net.parameters(), RATE, betas=(0.9, 0.98), weight_decay=0.01)
        if saved:
            self.net.load_state_dict(saved["net"])
            self.averaged.load_state_dict(saved["averaged"])
            self._optimizer.load_state_dict(saved["optimizer"])

    def run(self, sampler: Sampler, measured: Mapping[str, Sequence[Pair]], minutes: float) -> None:
        """Train for so many minutes; figures of the sets ``measured`` go to the log."""
        queue: Queue[Batch] = Queue(8)
        Thread(target=_fill, args=(queue, sampler), daemon=True).start()
        done = self.progress
        end, due = done.seconds + 60 * minutes, done.seconds + EVERY
        logged = max(FIRST, done.characters)
        while done.seconds < end:
            start = time.process_time()
            self._step(queue.get())
            done.seconds += time.process_time() - start
            if done.seconds >= due:
                due += EVERY
                self.save()
            if done.characters >= GROWTH * logged:
                logged = done.characters
                self.log(measured)
        self.save()
        self.log(measured)

    def _step(self, batch: Batch) -> None:
        chars, known, profile, becomes, after = (torch.from_numpy(part).to(self._device) for part in batch)
        for group in self._optimizer.param_groups:
            group["lr"] = RATE * self._schedule()
        scores = self.net(chars, known, profile)
        loss = _loss(scores[0], becomes) + _loss(scores[1], after)
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self._optimizer.step()
        self.averaged.update_parameters(self.net)
        done = self.progress
        done.steps += 1
        done.characters += int((becomes != IGNORE).sum())
        done.loss += (float(loss.detach()) - done.loss) * max(0.01, 1 / done.steps)

    def _schedule(self) -> float:
        step = self.progress.steps + 1
        return min(1.0, step / WARM, math.sqrt(FALLS / step))

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            "alphabet": asdict(self.alphabet),
            "progress": asdict(self.progress),
            "net": self.net.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizer": self._optimizer.state_dict(),
        }
        torch.save(state, self._folder / "checkpoint.new")
        (self._folder / "checkpoint.new").replace(self._folder / "checkpoint.pt")

    def log(self, measured: Mapping[str, Sequence[Pair]]) -> None:
        """Append a line with the figures at probability .5 and .8 to the log, and print it."""
        record: dict[str, Any] = asdict(self.progress)
        for name, pairs in measured.items():
            made = [self.correct(p.ocr, (0.5, 0.8)) for p in pairs]
            for i, least in enumerate((0.5, 0.8)):
                scores = (score_text(p.ocr, m[i], p.gold) for p, m in zip(pairs, made, strict=True))
                score = sum(scores, TextScore())
                record[f"{name} {least}"] = {
                    "cer_before": round(score.cer_before, 3),
                    "cer_after": round(score.cer_after, 3),
                    "words_broken_per_1000": round(score.words_broken_per_1000, 2),
                }
        with (self._folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
        print(json.dumps(record, ensure_ascii=False), flush=True)

    def correct(self, text: str, leasts: Sequence[float]) -> list[str]:
        """For each of ``leasts`` the text with each change that is more probable; no gate, no grouping."""
        text = normalise_signs(text)
        codes = {c: i + 2 for i, c in enumerate(self.alphabet.inputs)}
        chars = torch.tensor([[codes.get(c, 1) for c in text]], device=self._device)
        profile = torch.from_numpy(character_profile([text], codes, self.shape.inputs)[None]).to(self._device)
        known = torch.tensor([frequency_classes(text, self._lexicon)], device=self._device)
        with torch.no_grad():
            heads = [scores.softmax(-1)[0, :, 1:].max(-1) for scores in self.averaged(chars, known, profile)]
        (become_p, become), (after_p, after) = ((h.values.tolist(), h.indices.tolist()) for h in heads)
        letters = ["", *self.alphabet.outputs]
        return [
            "".join(
                (letters[become[i]] if become_p[i] > least else char)
                + (letters[after[i]] if after_p[i] > least else "")
                for i, char in enumerate(text)
            )
            for least in leasts
        ]


def _average(averages: list[Tensor], weights: list[Tensor], done: Tensor) -> None:
    """Bring the averages up to date; the first steps count for little, since the tagger has only begun."""
    kept = min(AVERAGED, (1 + int(done)) / (10 + int(done)))
    with torch.no_grad():
        torch._foreach_lerp_(averages, weights, 1 - kept)


def _loss(scores: Tensor, labels: Tensor) -> Tensor:
    return functional.cross_entropy(scores.flatten(0, 1), labels.flatten(), ignore_index=IGNORE)


def _fill(queue: Queue[Batch], sampler: Sampler) -> None:
    for batch in sampler.batches():
        queue.put(batch)
