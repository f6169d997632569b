"""The built site on a port: what it gives, and what it keeps to itself."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

PROGRAM = """
import sys
from pathlib import Path
from hoyle.serve import serve
serve(Path(sys.argv[1]), 0, lambda address: print(address, flush=True))
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[tuple[int, subprocess.Popen]]:
    out = tmp_path_factory.mktemp("out") / "build"
    (out / "site").mkdir(parents=True)
    (out / "site/index.html").write_text("home", encoding="utf-8")
    (out / "site/here.html").symlink_to("index.html")
    secret = out.parent / "secret"
    secret.mkdir()
    (secret / "key.txt").write_text("secret", encoding="utf-8")
    (out / "site/out").symlink_to(secret)
    (out / "site/key.txt").symlink_to(secret / "key.txt")
    (out / "site/loop").symlink_to("loop")
    command = [sys.executable, "-c", PROGRAM, os.fspath(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline()
        yield int(address.split(":")[2].split("/")[0]), process
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=20)[1]
        assert said == ""


def ask(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read()


@pytest.mark.parametrize("path", ["/site/index.html", "/site/", "/site/here.html"])
def test_files_of_the_folder_are_given(served, path):
    assert ask(served[0], path) == (200, b"home")


@pytest.mark.parametrize(
    "path",
    [
        "/site/key.txt",
        "/site/out/",
        "/site/out/key.txt",
        "/site/loop",
        "/%00",
        "/site/%00.html",
        "/../secret/key.txt",
        "/%2e%2e/secret/key.txt",
        "/site/" + "a" * 5000,
        "/none",
    ],
)
def test_nothing_else_is(served, path):
    status, body = ask(served[0], path)
    assert status == 404
    assert b"secret" not in body
    assert served[1].poll() is None
