"""The features by which the candidates for correction are ranked.

They say what the generators think of a candidate (tagger, lattice), what the lexicon knows of the words
before and after the change, what is changed (letters, marks, spaces, capitals, digits), and how the document
writes elsewhere. All are numbers of about the same size, so that the weights of a linear model can be
compared.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from hoyle.correction.candidate import Candidate
from hoyle.correction.channel import MIN_RATE, Channel, general_channel
from hoyle.correction.lexical_acceptability import LexicalAcceptability
from hoyle.correction.tagger import normalise_signs
from hoyle.languages import Language
from hoyle.resources import UNSEEN, Lexicon

_WORD = re.compile(r"[^\W\d_]+(?:['’](?=\s|$))?")
_BEFORE = re.compile(r"([^\W\d_]+['’]?)[ \n]?$")
_AFTER = re.compile(r"[ \n]?([^\W\d_]+)")

_CONTEXT = 30
"""Characters on either side in which the neighbouring words are looked for."""

UNKNOWN = -1.0
"""The error rate of a document that is too short to tell it."""

_MAX_LOGIT = 8.0


@dataclass(frozen=True)
class DocumentEvidence:
    """What a document shows about itself.

    Attributes:
        channel: the channel, adapted to the document.
        error_rate: words in 1000 characters that the tagger changes; ``None`` if the text is too short to
            tell.
        counts: how often each word (small letters) stands in the raw text.
    """

    channel: Channel
    error_rate: float | None = None
    counts: Counter[str] = field(default_factory=Counter)


def count_words(text: str) -> Counter[str]:
    """Count the words of a text in small letters."""
    return Counter(_WORD.findall(normalise_signs(text.lower())))


FEATURES = (
    "tagger", "tagger_silent", "lattice", "lattice_silent", "both", "rival_tagger", "rival_lattice",
    "was_listed", "was_frequency", "now_listed", "now_frequency", "frequency_gain", "context_gain",
    "spelling_was", "spelling_gain", "was_acceptable", "was_modern", "now_modern",
    "changed", "letters_replaced", "letters_inserted", "letters_deleted", "share_changed",
    "general_rate", "document_rate", "unseen_confusion",
    "words_stay", "case_only", "marks_changed", "mark_inserted", "mark_deleted", "digit", "hyphen",
    "apostrophe",
    "space_removed", "space_inserted", "other_script",
    "initial_capital", "all_capitals", "stray_capital", "single_letter", "short", "length",
    "error_rate", "own_habit",
)  # fmt: skip
"""Names of the features, in the order of :meth:`FeatureExtractor.features`."""


class FeatureExtractor:
    """Computes the features of the candidates of one document.

    Args:
        language: its language, with a lexicon.
        acceptability: lexical acceptability for the document.
        document: what it shows about itself.
    """

    def __init__(
        self, language: Language, acceptability: LexicalAcceptability, document: DocumentEvidence
    ) -> None:
        self._lexicon: Lexicon = language.lexicon
        self._letters = language.letters
        self._acceptability, self._document = acceptability, document
        self._general = _rates(language.resource(general_channel))
        self._own = _rates(document.channel)

    def features(self, text: str, candidate: Candidate, rivals: Sequence[Candidate] = ()) -> list[float]:
        """Compute the features of a candidate.

        Args:
            text: the edited text of a unit.
            candidate: a candidate for it.
            rivals: the other candidates that overlap it.

        Returns:
            A number for each of :data:`FEATURES`.
        """
        before, after = text[candidate.start : candidate.end], candidate.after
        return [
            *_generator_scores(candidate),
            max((rival.tagger for rival in rivals), default=0.0),
            max((rival.lattice for rival in rivals), default=0.0),
            *self._words(text, candidate, before, after),
            *self._confusions(before, after),
            *_kinds(before, after, self._letters),
            UNKNOWN if self._document.error_rate is None else math.log1p(self._document.error_rate) / 2,
            self._own_habit(before, after),
        ]

    def _words(self, text: str, candidate: Candidate, before: str, after: str) -> Iterable[float]:
        was, now = _changed_words(before, after)
        lexicon = self._lexicon
        had = min((lexicon.count(w) for w in was), default=0.0)
        has = min((lexicon.count(w) for w in now), default=0.0)
        left = _BEFORE.search(text[max(0, candidate.start - _CONTEXT) : candidate.start])
        right = _AFTER.match(text, candidate.end, candidate.end + _CONTEXT)
        around = (left[1].lower() if left else "", right[1].lower() if right else "")
        gain = self._score(now, around) - self._score(was, around) if was and now else 0.0
        spelled_was, spelled_now = self._spelling(was), self._spelling(now)
        yield from (float(had > 0), math.log1p(had) / 5, float(has > 0), math.log1p(has) / 5)
        yield (math.log1p(has) - math.log1p(had)) / 5
        yield max(-25.0, min(25.0, gain)) / 5
        yield from (spelled_was, spelled_now - spelled_was)
        yield float(self._acceptability.replaces_acceptable(was, now)) if was else 0.0
        yield float(bool(was) and all(self._acceptability.modern_form(w) for w in was))
        yield float(bool(now) and all(self._acceptability.modern_form(w) for w in now))

    def _score(self, words: Sequence[str], around: tuple[str, str]) -> float:
        """Return the natural log probability of words and of the word after them."""
        previous, total = around[0], 0.0
        for word in (*words, around[1]):
            if word:
                total += max(UNSEEN, self._lexicon.log_probability(word, previous))
                previous = word
        return total

    def _spelling(self, words: Sequence[str]) -> float:
        """Return the natural log probability of the letters, a letter."""
        size = sum(len(w) + 1 for w in words)
        return sum(self._lexicon.spelling(w) for w in words) / size if size else -3.0

    def _confusions(self, before: str, after: str) -> Iterable[float]:
        small, becomes = normalise_signs(before.lower()), normalise_signs(after.lower())
        general = own = 0.0
        replaced = inserted = deleted = unseen = 0
        for misread, printed in _differences(small, becomes):
            replaced += min(len(misread), len(printed))
            inserted += max(0, len(printed) - len(misread))
            deleted += max(0, len(misread) - len(printed))
            floor = math.log(MIN_RATE)
            general = min(general, self._general.get((misread, printed), floor))
            own = min(own, self._own.get((misread, printed), floor))
            unseen += (misread, printed) not in self._general
        changed = replaced + inserted + deleted
        yield from (math.log1p(changed), float(replaced), float(inserted), float(deleted))
        yield changed / max(1, len(small))
        yield from (general / 5, own / 5, float(unseen))

    def _own_habit(self, before: str, after: str) -> float:
        """Return how much more often the document has the old words than the new ones."""
        was, now = _changed_words(before, after)
        counts = self._document.counts
        had = min((counts[w] for w in was), default=0)
        has = min((counts[w] for w in now), default=0)
        return math.log((1 + had) / (1 + has)) / 3


def rivals(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Find the candidates that overlap each candidate.

    Args:
        candidates: candidates for one text, in any order.

    Returns:
        For each candidate the others that share a character with it.
    """
    found: list[list[Candidate]] = [[] for _ in candidates]
    order = sorted(range(len(candidates)), key=lambda i: candidates[i].start)
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if candidates[j].start >= candidates[i].end:
                break
            found[i].append(candidates[j])
            found[j].append(candidates[i])
    return found


def _generator_scores(candidate: Candidate) -> Iterable[float]:
    tagger, lattice = candidate.tagger, candidate.lattice
    yield from (_logit(tagger) if tagger else 0.0, float(not tagger))
    yield from (_logit(lattice) if lattice else 0.0, float(not lattice))
    yield float(bool(tagger and lattice))


def _kinds(before: str, after: str, letters: frozenset[str]) -> Iterable[float]:
    """Yield what is changed, and what kind of word it is."""
    was, now = _changed_words(before, after)
    had, has = _signs(before), _signs(after)
    stays = not was and not now
    yield from (
        float(stays),
        float(stays and _bare(before).lower() == _bare(after).lower() and before != after),
    )
    yield from (
        float(had != has and len(had) == len(has)),
        float(len(has) > len(had)),
        float(len(has) < len(had)),
    )
    yield float(sum(map(str.isdigit, before)) - sum(map(str.isdigit, after)))
    yield float(before.count("-") - after.count("-"))
    yield float(normalise_signs(before).count("'") - normalise_signs(after).count("'"))
    yield from (
        float(max(0, _spaces(before) - _spaces(after))),
        float(max(0, _spaces(after) - _spaces(before))),
    )
    small = [c for c in before.lower() if c.isalpha()]
    yield sum(c not in letters for c in small) / max(1, len(small))
    core = _bare(before)
    yield float(core[:1].isupper() and not core.isupper())
    yield float(len(core) > 1 and core.isupper())
    yield float(any(a.islower() and b.isupper() for a, b in pairwise(core)))
    yield from (float(len(core) == 1), float(len(core) <= 3), math.log1p(len(core)))


def _bare(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _signs(text: str) -> str:
    return "".join(c for c in normalise_signs(text) if not c.isalnum() and not c.isspace() and c not in "-'")


def _spaces(text: str) -> int:
    return sum(map(str.isspace, text))


def _changed_words(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return the words (small letters) that only the text before, or only the text after the change has."""
    was, now = ([w.lower() for w in _WORD.findall(normalise_signs(text))] for text in (before, after))
    common = Counter(was) & Counter(now)
    return _without(was, common), _without(now, common)


def _without(words: Iterable[str], common: Counter[str]) -> list[str]:
    left = Counter(common)
    out = []
    for word in words:
        if left[word]:
            left[word] -= 1
        else:
            out.append(word)
    return out


def _differences(before: str, after: str) -> Iterable[tuple[str, str]]:
    """Yield what was read for what; an insertion is joined to the letter before it."""
    open_ = None
    for op in [*Levenshtein.opcodes(before, after), None]:
        if op and op.tag != "equal":
            open_ = (*(open_[:2] if open_ else (op.src_start, op.dest_start)), op.src_end, op.dest_end)
            continue
        if open_:
            a, x, b, y = open_
            if a == b and a:
                a, x = a - 1, x - 1
            yield before[a:b], after[x:y]
        open_ = None


def _rates(channel: Channel) -> dict[tuple[str, str], float]:
    rates = {(c.ocr, c.print): c.log_rate for group in channel.confusions.values() for c in group}
    return rates | {(" ", ""): channel.space_inserted}


def _logit(probability: float) -> float:
    p = min(max(probability, 1e-6), 1 - 1e-6)
    return max(-_MAX_LOGIT, min(_MAX_LOGIT, math.log(p / (1 - p)))) / 2
