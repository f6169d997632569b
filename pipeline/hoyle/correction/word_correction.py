"""Generate candidates for the words of a text by decoding a lattice of the lexicon's words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from hoyle.correction.candidate import Candidate, Change
from hoyle.correction.candidates import LexiconArcGenerator
from hoyle.correction.capitals import has_stray_capital, with_capitals
from hoyle.correction.channel import Channel, general_channel
from hoyle.correction.lattice import DecodedArc, Window, decode
from hoyle.correction.lexical_acceptability import LexicalAcceptability, acceptability_of
from hoyle.correction.model_scores import ModelScores
from hoyle.correction.tagger import Tags
from hoyle.correction.tokens import EDGE_PUNCTUATION, is_number, is_word, single_letters, words
from hoyle.document import Span
from hoyle.languages import Language
from hoyle.resources import Lexicon

_TOKEN = re.compile(r"[^\s]+")
_LETTER = re.compile(r"[^\W\d_]")

_RIVAL_MARGIN = 5.0
"""Natural log. A listed word is suspicious if a rival comes this close to its probability."""

_NAME_BONUS = 2.5
"""Natural log that a capital adds to the score of an unlisted word: it may be a name."""


_LONGEST_WINDOW = 40
"""Tokens decoded together at most."""


class WordCorrector:
    """Generates candidates for the words of one document.

    Args:
        language: its language, with a lexicon.
        channel: the channel adapted to the document; the general one of the language if left out.
        acceptability: lexical acceptability for the document; the general one if left out.
    """

    def __init__(
        self,
        language: Language,
        channel: Channel | None = None,
        acceptability: LexicalAcceptability | None = None,
    ) -> None:
        self._language = language
        self._lexicon: Lexicon = language.lexicon
        self._channel = channel or language.resource(general_channel)
        self._arc_generator = LexiconArcGenerator(
            self._lexicon, self._channel, language.letters, self._unlisted_score
        )
        self._acceptability = acceptability or acceptability_of(language)
        self._suspicious_tokens: dict[str, bool] = {}
        self._unlisted_scores: dict[str, float] = {}
        self._endings: list[list[str]] = language.settings["correct"].get("endings", [])

    @cached_property
    def _single_letter_words(self) -> frozenset[str]:
        """Words of one letter."""
        return frozenset(self._language.settings["correct"]["words_of_one_letter"])

    def candidates(
        self,
        text: str,
        spans: Iterable[Span],
        suspicious: Sequence[int] | None = None,
        tags: Tags | None = None,
    ) -> Iterator[Candidate]:
        """Generate candidates for the suspicious words of a text.

        Args:
            text: the edited text of a unit.
            spans: stretches of it in which words may be corrected.
            suspicious: offsets of suspicious characters, in order; only tokens that have one are decoded. If
                left out, the tokens that the lexicon finds suspicious.
            tags: predictions of the tagger for the text; their scores are combined with those of the channel.

        Yields:
            Candidates in order, with their posterior.
        """
        model_scores = ModelScores(text, tags) if tags else None
        for span in spans:
            for start, stop, fixed in self._windows(text, span, suspicious):
                window = Window(text, start, stop, fixed, model_scores)
                for decoded in decode(window, self._arc_generator, self._lexicon):
                    candidate = self._candidate(text, decoded)
                    if candidate:
                        yield candidate

    def _windows(
        self, text: str, span: Span, suspicious: Sequence[int] | None
    ) -> Iterator[tuple[int, int, frozenset[int]]]:
        """Yield stretches to decode: suspicious tokens with one neighbour on either side, near ones together.

        With each stretch go the offsets of its tokens that are not suspicious.
        """
        tokens = [m.span() for m in _TOKEN.finditer(text, span.start, span.end)]
        if suspicious is None:
            targets = [i for i, (a, b) in enumerate(tokens) if self._needs_correction(text[a:b])]
            uncertain = set(range(len(tokens)))
        else:
            places = [bisect_left(suspicious, end) for a, b in tokens for end in (a - 1, b + 1)]
            uncertain = {i for i in range(len(tokens)) if places[2 * i] < places[2 * i + 1]}
            texts = [text[a:b] for a, b in tokens]
            selected = single_letters(texts) | {i for i in uncertain if is_word(texts[i])}
            if self._arc_generator.is_letterspaced:
                uncertain = set(range(len(tokens)))
                selected |= self._split_words(texts) | {
                    i for i in uncertain if self._has_unlisted_word(texts[i])
                }
            targets = sorted(selected)
            uncertain.intersection_update(i + step for i in targets for step in (-1, 0, 1))
        for first, last in _runs(targets):
            some = range(max(0, first - 1), min(len(tokens), last + 2))
            fixed = frozenset(at for i in some if i not in uncertain for at in range(*tokens[i]))
            yield tokens[some[0]][0], tokens[some[-1]][1], fixed

    def _split_words(self, tokens: Sequence[str]) -> set[int]:
        """Find tokens that make a listed word with the next one and never stand beside it."""
        found: set[int] = set()
        for i, (first, second) in enumerate(
            pairwise(token.strip(EDGE_PUNCTUATION).lower() for token in tokens)
        ):
            if first + second in self._lexicon and not self._lexicon.neighbours(first, second):
                found |= {i, i + 1}
        return found

    def _needs_correction(self, token: str) -> bool:
        known = self._suspicious_tokens.get(token)
        if known is None:
            needs_correction = is_word(token) and any(
                self._may_be_wrong(word) for word in words(token.strip(EDGE_PUNCTUATION))
            )
            known = self._suspicious_tokens[token] = needs_correction
        return known

    def _has_unlisted_word(self, token: str) -> bool:
        """Tell whether some word of the token is unlisted."""
        return is_word(token) and any(
            self._is_unlisted(word) for word in words(token.strip(EDGE_PUNCTUATION))
        )

    def _is_unlisted(self, word: str) -> bool:
        small = word.lower()
        if len(small) == 1 and small not in self._single_letter_words:
            return True
        return small not in self._lexicon or has_stray_capital(word)

    def _may_be_wrong(self, word: str) -> bool:
        """Tell whether a word is unlisted or has a close rival in the lexicon."""
        if self._is_unlisted(word):
            return True
        small = word.lower()
        own = self._lexicon.log_probability(small)
        return any(
            arc.end == len(word)
            and arc.word != small
            and arc.channel + self._lexicon.log_probability(arc.word) > own - _RIVAL_MARGIN
            for arc in self._arc_generator.token(word).arcs
        )

    def _unlisted_score(self, word: str) -> float:
        weight = self._unlisted_scores.get(word)
        if weight is None:
            weight = self._unlisted_scores[word] = self._score_unlisted(word)
        return weight

    def _score_unlisted(self, word: str) -> float:
        """Estimate the natural log probability of an unlisted word."""
        if not _LETTER.search(word):
            return -6.0 - 2.3 * len(word)
        if is_number(word):
            return -8.0
        total = 0.0
        for piece in words(word):
            small = piece.lower()
            if small in self._lexicon and (len(small) > 1 or small in self._single_letter_words):
                total += self._lexicon.log_probability(small)
                continue
            weight = -4.0 + self._lexicon.spelling(small)
            if piece[0].isupper() and piece[1:].islower():
                weight += _NAME_BONUS
            if len(small) > 2 and self._may_be_word(small):
                weight = max(weight, -14.5)
            total += weight
        return total

    def _may_be_word(self, word: str) -> bool:
        return self._is_inflected(word) or bool(self._acceptability.modern_form(word))

    def _is_inflected(self, word: str) -> bool:
        """Tell whether a listed word differs from this one in its ending only."""
        for endings in self._endings:
            for ending in endings:
                stem = word.removesuffix(ending)
                if (
                    word.endswith(ending)
                    and len(stem) >= 4
                    and any(stem + e in self._lexicon for e in endings)
                ):
                    return True
        return False

    def _candidate(self, text: str, decoded: DecodedArc) -> Candidate | None:
        arc = decoded.arc
        changes = with_capitals(text[arc.start : arc.end], arc)
        before = text[arc.start : arc.end]
        if arc.word.endswith("'") and text[arc.end : arc.end + 1] == " " and arc.unlisted_score is None:
            changes = (*changes, Change(1, "", None))  # nothing stands between l' and its noun
            arc = replace(arc, end=arc.end + 1)
        after = "".join(change.after for change in changes)
        if after.replace("'", "’") == before.replace("'", "’"):
            return None
        if after.lower() == before.lower() and not has_stray_capital(before):
            return None
        confusions = sorted((r for r in arc.confusions if r.where), key=lambda r: r.log_rate)
        by = confusions[0].where if confusions else self._lexicon.where
        return Candidate(arc.start, arc.end, changes, by, lattice=decoded.posterior)


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of numbers that lie close together, at most as many as are decoded together."""
    first = last = -1
    for i in numbers:
        if first >= 0 and (i - last > 2 or i - first > _LONGEST_WINDOW):
            yield first, last
            first = i
        elif first < 0:
            first = i
        last = i
    if first >= 0:
        yield first, last
