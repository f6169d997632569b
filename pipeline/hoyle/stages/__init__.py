"""The pipeline as one readable table, in order.

Clauses come before correction (the house drawing has them after it): a damaged label is read
as the scan has it, the corrector then leaves labels alone, and words torn over a column or a
page seam are mended unit by unit, in reading order. Editors' rulings come after the machine's
corrections, which they win over, and before what rests on a good text: spelling, references,
tags ("the same penalty as in § 16" is tagged with the penalty of § 16).
"""

from __future__ import annotations

from hoyle.model import RULINGS
from hoyle.stage import Stage
from hoyle.stages import clauses, columns, correct, furniture, language, references, regularise, rulings, tag

STAGES = (
    Stage("language", language.find, "tells language and orthography"),
    Stage("furniture", furniture.find, "finds running heads, page numbers, notices, rules"),
    Stage("columns", columns.find, "puts text read across columns in order"),
    Stage("clauses", clauses.find, "decodes the numbering and cuts the text into clauses"),
    Stage("correct", correct.find, "mends the faults of the OCR and joins lines"),
    Stage(RULINGS, rulings.find, "applies what editors ruled"),
    Stage("regularise", regularise.find, "spells the corrected text as today"),
    Stage("references", references.find, "finds cross-references and what they point to"),
    Stage("tag", tag.find, "tags game, actors, offences, penalties, modality"),
)

# What a text needs before its letters can be trusted, without tags: enough for `hoyle correct`.
TEXT_STAGES = STAGES[:7]

MACHINE = tuple(stage for stage in STAGES if stage.name != RULINGS)
"""The stages without the editors: what claims about the machine are measured on."""
