"""The built site on a port: what it gives, and what it keeps to itself."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

PROGRAM = """
import sys
from pathlib import Path
from hoyle import serve
serve._IDLE = 2
serve.serve(Path(sys.argv[1]), 0, lambda address: print(address, flush=True))
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[tuple[int, subprocess.Popen]]:
    out = tmp_path_factory.mktemp("out") / "build"
    (out / "site").mkdir(parents=True)
    (out / "tables").mkdir()
    (out / "text").mkdir()
    (out / "site/index.html").write_text("home", encoding="utf-8")
    (out / "site/here.html").symlink_to("index.html")
    (out / "text/мѣсто.txt").write_text("мѣсто", encoding="utf-8")
    for name in ("tables/clauses.jsonl", "tables/clauses.csv", "text/a.md", "text/a.ttl", "citations.bib"):
        (out / name).write_text("мѣсто", encoding="utf-8")
    (out / "tables/hoyle.sqlite").write_bytes(bytes(range(256)) * 40_000)
    (out / "site/search.js").write_text("1", encoding="utf-8")
    secret = out.parent / "secret"
    secret.mkdir()
    (secret / "key.txt").write_text("secret", encoding="utf-8")
    (out.parent / "build-2").mkdir()
    (out.parent / "build-2/key.txt").write_text("secret", encoding="utf-8")
    (out / "site/out").symlink_to(secret)
    (out / "site/key.txt").symlink_to(secret / "key.txt")
    (out / "site/key2.txt").symlink_to(out.parent / "build-2/key.txt")
    (out / "site/loop").symlink_to("loop")
    command = [sys.executable, "-c", PROGRAM, os.fspath(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline()
        yield int(address.split(":")[2].split("/")[0]), process
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=20)[1]
        assert said == ""


def answer(port: int, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        return response, response.read()


def ask(port: int, path: str) -> tuple[int, bytes]:
    response, body = answer(port, path)
    return response.status, body


@pytest.mark.parametrize("path", ["/", "/site/index.html", "/site/", "/site/here.html", "/site/?q=1"])
def test_files_of_the_folder_are_given(served, path):
    assert ask(served[0], path) == (200, b"home")


def test_a_folder_without_its_slash_is_redirected(served):
    response, _ = answer(served[0], "/site")
    assert (response.status, response.headers["Location"]) == (301, "site/")


@pytest.mark.parametrize(
    "path",
    [
        "/site/key.txt",
        "/site/key2.txt",
        "/site/out/",
        "/site/out/key.txt",
        "/site/loop",
        "/%00",
        "/site/%00.html",
        "/../secret/key.txt",
        "/../build-2/key.txt",
        "/%2e%2e/secret/key.txt",
        "/site/..%2f..%2fsecret/key.txt",
        "/site/" + "a" * 5000,
        "/site/%ff",
        "/none",
        "//etc/passwd",
    ],
)
def test_nothing_else_is(served, path):
    status, body = ask(served[0], path)
    assert status == 404
    assert b"secret" not in body
    assert served[1].poll() is None


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/text/%D0%BC%D1%A3%D1%81%D1%82%D0%BE.txt", "text/plain"),
        ("/tables/clauses.jsonl", "text/plain"),
        ("/tables/clauses.csv", "text/csv"),
        ("/text/a.md", "text/markdown"),
        ("/text/a.ttl", "text/turtle"),
        ("/citations.bib", "text/x-bibtex"),
    ],
)
def test_a_text_says_that_it_is_utf_8(served, path, media):
    response, body = answer(served[0], path)
    assert body.decode() == "мѣсто"
    assert response.headers["Content-Type"] == f'{media}; charset="utf-8"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_scripts_and_databases_have_their_types(served):
    assert answer(served[0], "/site/search.js")[0].headers.get_content_type() == "text/javascript"
    response, _ = answer(served[0], "/tables/hoyle.sqlite")
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8000", "LOCALHOST"])
def test_this_machine_may_be_called_so(served, host):
    assert answer(served[0], "/site/", Host=host)[0].status == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example"])
def test_a_page_of_another_host_that_points_here_gets_nothing(served, host):
    response, body = answer(served[0], "/site/index.html", Host=host)
    assert response.status == 421
    assert b"home" not in body


def test_a_part_of_a_file_can_be_asked_for(served):
    response, body = answer(served[0], "/tables/hoyle.sqlite", Range="bytes=1024-2047")
    assert (response.status, body) == (206, bytes(range(256)) * 4)
    assert response.headers["Content-Range"] == "bytes 1024-2047/10240000"


def test_clients_that_leave_leave_no_traceback(served):
    for _ in range(20):  # that nothing is said is seen when the server ends
        with socket.create_connection(("127.0.0.1", served[0]), timeout=20) as client:
            client.sendall(b"GET /tables/hoyle.sqlite HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.recv(1000)
    assert ask(served[0], "/site/") == (200, b"home")


def test_a_connection_on_which_nothing_comes_is_closed(served):
    with socket.create_connection(("127.0.0.1", served[0]), timeout=20) as client:
        client.sendall(b"GET /site/ HTTP/1.1\r\nHost: local")
        assert client.recv(1000) == b""


def test_two_hundred_clients_all_get_their_answers(served):
    async def client() -> int:
        right = 0
        for _ in range(10):
            reader, writer = await asyncio.open_connection("127.0.0.1", served[0])
            writer.write(b"GET /site/index.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            right += (await reader.read()).endswith(b"\r\n\r\nhome")
            writer.close()
        return right

    async def clients() -> int:
        return sum(await asyncio.gather(*(client() for _ in range(200))))

    assert asyncio.run(asyncio.wait_for(clients(), timeout=60)) == 2000
