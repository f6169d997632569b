"""The published editions: ``corpus/<id>/edition/<id>.xml``, the TEI that is cited.

They are made by machine and decisions, never by hand: what an editor finds wrong belongs into
``decisions.tsv``, which every later version of the software heeds.
"""

from __future__ import annotations

import os
from pathlib import Path

from hoyle.batch.annotate import annotate_document
from hoyle.errors import OutputError, SourceError
from hoyle.loading import EDITION, TEI_SUFFIX, Request
from hoyle.outputs.tei import tei_bytes
from hoyle.tei.verify import manual_changes, verify_bytes


def publish(request: Request, root: Path, *, force: bool = False) -> tuple[Path, bool]:
    """Write the edition of a corpus document, if it is not there as it is now made.

    Args:
        request: the document.
        root: the folder that holds ``seeds/``.
        force: write over an edition that somebody changed by hand.

    Returns:
        The file, and whether it was written.

    Raises:
        HoyleError: the document cannot be made, its TEI does not pass ``verify``, or the edition that is
            there was changed by hand.
    """
    if request.settings is None:
        raise SourceError("is no document of the corpus (it has no meta.toml)", document=request.name)
    document = annotate_document(request, root)
    data = tei_bytes(document)
    path = request.settings.parent / EDITION / f"{document.id}{TEI_SUFFIX}"
    if problems := verify_bytes(data, name=path.name):
        raise OutputError(f"its edition is not sound: {problems[0]}", document=document.id)
    old = path.read_bytes() if path.is_file() else data
    if not force and old != data:
        _refuse_edited(old, path)
    if path.is_file() and old == data:
        return path, False
    path.parent.mkdir(exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(data)
    os.replace(new, path)  # noqa: PTH105 - atomic; whoever reads sees the old or the new one
    return path, True


def _refuse_edited(data: bytes, path: Path) -> None:
    """Raise if what is published was changed by hand, or cannot be read any more."""
    remedy = "put it into decisions.tsv, or write over it with --force"
    try:
        changed = manual_changes(data, name=path.name)
    except SourceError as error:
        raise OutputError(
            f"cannot be read ({error.message}); write over it with --force", document=str(path)
        ) from error
    if changed:
        raise OutputError(f"{changed[0]}; {remedy} ({len(changed)} changes by hand)", document=str(path))
