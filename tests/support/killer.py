"""Work for another process that kills it: it must be importable there, so it lies in a module of its own."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from hoyle.batch.annotate import Made, annotate
from hoyle.loading import Request


def kill_at(deadly: Path, request: Request, **others: Any) -> Made:
    """Annotates ``request``, unless it is the deadly one: that kills the process at once."""
    if request.path == deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return annotate(request, **others)
