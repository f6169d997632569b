"""Work for another process that kills it: it must be importable there, so it lies in a module of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from hoyle.batch.annotate import Outcome, annotate
from hoyle.loading import Request
from hoyle.pipeline import Stage


def kill_at(deadly: Path, request: Request, root: Path, steps: Sequence[Stage] = ()) -> Outcome:
    """Annotates ``request``, unless it is the deadly one: that kills the process at once."""
    if request.path == deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return annotate(request, root, steps)
