"""The built site on a port of this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from hoyle.errors import OutputError


class _Quiet(SimpleHTTPRequestHandler):
    """Serves the files of one folder, and nothing outside it, without a line of log for each."""

    def send_head(self) -> BytesIO | BinaryIO | None:
        """The file asked for, unless its name is none or its link leads out of the folder."""
        if not self._inside():
            self.send_error(HTTPStatus.NOT_FOUND, "File not found")
            return None
        return super().send_head()

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def _inside(self) -> bool:
        try:
            goal = Path(self.translate_path(self.path)).resolve()
        except (OSError, RuntimeError, ValueError):  # no name of a file (a NUL in it), or a loop of links
            return False
        return goal.is_relative_to(Path(self.directory).resolve())


def serve(out: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serve the build ``out`` on 127.0.0.1 until interrupted.

    Args:
        out: folder of the build (site, TEI and tables are all reachable).
        port: the port, 0 for any free one.
        ready: told the address once it can be opened.

    Raises:
        OutputError: if there is no site in ``out``, or the port is taken.
    """
    if not (out / "site" / "index.html").is_file():
        raise OutputError("holds no site; run hoyle build first", document=str(out))
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(out)))
    except OSError as error:
        raise OutputError(
            f"port {port} cannot be used ({error.strerror}); choose another with --port"
        ) from error
    with server:
        ready(f"http://127.0.0.1:{server.server_address[1]}/site/index.html")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
