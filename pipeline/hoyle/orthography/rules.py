"""The rules of spelling of one orthography, as its tables have them.

The folder of an orthography holds, each with an attested example in every row:

``letters.tsv``
    what becomes of single letters (``ѣ`` → ``е``; ``ъ`` at the end of a word → nothing);
``words.tsv``
    whole words and fixed phrases, word division included (``настолъ`` → ``на стол``);
``hyphens.tsv``, ``stems.tsv``, ``prefixes.tsv``, ``endings.tsv``, ``variants.tsv``
    rules: regular expressions on the form that ``letters.tsv`` leaves, small letters. Column
    ``when`` says how far a rule may go:

    ``always``
        wherever it matches;
    ``unless-known``
        if modern orthography does not know the form; it is tried first whether a combination of
        such rules leads to a known form, else every one that matches is applied, in order;
    ``if-known``
        only if a known form comes of it;
    ``adverb``
        (hyphens) if the first part is an adverb and the last one a participle, short adjective,
        adverb or verb, which modern orthography writes apart.

Column ``p`` of a rule is the probability that a change it makes is right, estimated on pairs of
old prints and modern editions or, for rules that these lack, by reading the changes it makes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hoyle.document import Evidence
from hoyle.errors import TableError
from hoyle.languages import Language
from hoyle.tables import Row

RULE_TABLES = ("hyphens", "stems", "prefixes", "endings", "variants")
"""The rule tables in the order in which they apply."""

_WHEN = frozenset({"always", "unless-known", "if-known", "adverb"})
_COLUMNS = ("old", "new", "when", "p", "example", "modern", "source")


class Modern(NamedTuple):
    """A modern spelling and why it is that."""

    text: str
    why: Evidence


class Phrase(NamedTuple):
    """A phrase of ``words.tsv``: its words (``*`` stands for any), its modern spelling and why."""

    words: tuple[str, ...]
    new: str
    why: Evidence


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a rule table."""

    pattern: re.Pattern[str]
    new: str
    when: str
    p: float
    where: str

    def results(self, form: str) -> Iterator[str]:
        """The form with one match replaced, for each match."""
        for match in self.pattern.finditer(form):
            yield form[: match.start()] + match.expand(self.new) + form[match.end() :]


def read_rules(lang: Language, table: str) -> list[Rule]:
    """The rules of one of :data:`RULE_TABLES`, in order.

    Raises:
        TableError: a row with a broken regular expression, ``when`` or ``p``.
    """
    return [_rule(row) for row in lang.table(table, _COLUMNS)]


def _rule(row: Row) -> Rule:
    if row["when"] not in _WHEN:
        message = f"'when' must be one of {', '.join(sorted(_WHEN))}, not {row['when']!r}"
        raise TableError(message, document=row.where)
    try:
        pattern = re.compile(row["old"])
        pattern.sub(row["new"], "")
    except re.error as error:
        raise TableError(f"no regular expression: {error}", document=row.where) from None
    return Rule(pattern, row["new"], row["when"], row.number("p"), row.where)


def read_words(
    lang: Language, plain: Callable[[str], str]
) -> tuple[dict[str, Modern], dict[str, list[Phrase]]]:
    """What ``words.tsv`` has: single words, and phrases by the first word that is no ``*``.

    Args:
        lang: the orthography.
        plain: brings an old form into the shape under which it is looked up.

    Raises:
        TableError: a row with a broken ``p``.
    """
    single: dict[str, Modern] = {}
    phrases: dict[str, list[Phrase]] = {}
    for row in lang.table("words", ["old", "new", "p", "example"]):
        modern = Modern(row["new"], Evidence(row.where, row.number("p")))
        words = tuple(plain(word) for word in row["old"].split())
        if len(words) == 1:
            single[words[0]] = modern
        else:
            first = words[1] if words[0] == "*" else words[0]
            phrases.setdefault(first, []).append(Phrase(words, *modern))
    for found in phrases.values():
        found.sort(key=lambda phrase: -len(phrase.words))
    return single, phrases
