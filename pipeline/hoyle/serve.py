"""The built site on a port of this machine: waitress serves the files that WhiteNoise finds.

Only requests for this machine are answered: a page of another site that has its own name point to 127.0.0.1
(DNS rebinding) names that host in its requests, and is refused.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

import waitress
from whitenoise import WhiteNoise

from hoyle.errors import OutputError

_HOSTS = frozenset(("127.0.0.1", "localhost", ""))
"""Names of this machine; a request without any comes from no browser."""
_CONNECTIONS = 1_000
"""Clients served at a time; further ones wait."""
_IDLE = 30
"""Seconds after which a connection is closed on which nothing comes."""
_MEDIA_TYPES = {
    ".bib": "text/x-bibtex",
    ".csv": "text/csv",
    ".conllu": "text/plain",
    ".jsonl": "text/plain",
    ".jsonld": "application/ld+json",
    ".md": "text/markdown",
    ".tsv": "text/tab-separated-values",
    ".ttl": "text/turtle",
}
"""Those that WhiteNoise does not know."""

Respond = Callable[..., Any]


def serve(out: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serve the build ``out`` on 127.0.0.1 until interrupted.

    Args:
        out: folder of the build (site, TEI and tables are all reachable).
        port: the port, 0 for any free one.
        ready: called with the address once it can be opened.

    Raises:
        OutputError: if there is no site in ``out``, or the port is taken.
    """
    if not (out / "site" / "index.html").is_file():
        raise OutputError("holds no site; run hoyle build first", document=str(out))
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a queue is nothing to warn of
    try:
        server = waitress.create_server(
            _Build(out),
            host="127.0.0.1",
            port=port,
            threads=8,
            backlog=_CONNECTIONS,
            connection_limit=_CONNECTIONS,
            channel_timeout=_IDLE,
            cleanup_interval=max(1, _IDLE // 3),
            asyncore_use_poll=True,  # select() knows 1,024 files at most
            log_socket_errors=False,  # a client may leave when it likes
        )
    except OSError as error:
        raise OutputError(
            f"port {port} cannot be used ({error.strerror}); choose another with --port"
        ) from error
    ready(f"http://127.0.0.1:{server.effective_port}/site/index.html")
    server.run()


class _Build:
    """A WSGI application: the files of one folder, and nothing outside it."""

    def __init__(self, folder: Path) -> None:
        self._root = os.path.realpath(folder)
        self._files = WhiteNoise(
            _not_found,
            self._root,
            autorefresh=True,  # a build of many thousand files is not read at the start
            max_age=0,
            allow_all_origins=False,
            mimetypes=_MEDIA_TYPES,
            add_headers_function=_add_headers,
        )

    def __call__(self, environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
        host = re.sub(r":\d*$", "", environ.get("HTTP_HOST", ""))
        if host.lower() not in _HOSTS:
            return _answer(respond, "421 Misdirected Request", f"{host} is not served here.")
        asked: str = environ["PATH_INFO"]
        if asked.endswith("/"):
            asked = environ["PATH_INFO"] = f"{asked}index.html" if asked != "/" else "/site/index.html"
        path = f"{self._root}{asked.encode('latin-1').decode(errors='replace')}"  # as PEP 3333 has it
        try:
            inside = f"{os.path.realpath(path)}/".startswith(f"{self._root}/")
        except ValueError:  # a NUL is in no name of a file
            inside = False
        if not inside:
            return _not_found(environ, respond)
        if os.path.isdir(path):  # noqa: PTH112 - made of a string
            place = f"{environ['PATH_INFO'].rpartition('/')[2]}/"
            return _answer(respond, "301 Moved Permanently", "", ("Location", place))
        found: Iterable[bytes] = self._files(environ, respond)
        return found


def _add_headers(headers: Headers, _path: str, _url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"


def _not_found(_environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
    return _answer(respond, "404 Not Found", "There is no such file.")


def _answer(respond: Respond, status: str, text: str, *more: tuple[str, str]) -> Iterable[bytes]:
    body = text.encode()
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("X-Content-Type-Options", "nosniff")]
    respond(status, [*headers, ("Content-Length", str(len(body))), *more])
    return [body]
