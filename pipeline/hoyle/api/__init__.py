"""The public interface: texts read and annotated, one or many, and what can be taken out of them.

Everything here is also found at the top of the package (``hoyle.read``), where it is loaded when it
is first used. An annotated document wraps a :class:`hoyle.document.Document`, which never changes.
"""

from hoyle.api.annotated import AnnotatedDocument, AnnotatedUnit
from hoyle.api.functions import build, clauses, correct, from_tei, from_text, modernise, query, read, verify
from hoyle.api.pipeline import Pipeline
from hoyle.errors import HoyleError
from hoyle.pipeline import Stage

__all__ = [
    "AnnotatedDocument",
    "AnnotatedUnit",
    "HoyleError",
    "Pipeline",
    "Stage",
    "build",
    "clauses",
    "correct",
    "from_tei",
    "from_text",
    "modernise",
    "query",
    "read",
    "verify",
]
