"""The links of a built site: none broken, none leading out of it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    """Addresses and anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src", "action"):
                self.addresses.append(value)
            if name == "id":
                self.ids.append(value)


def check_links(folder: Path) -> None:
    pages = {path.resolve(): Links(path) for path in folder.rglob("*.html")}
    for path, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), path
        for address in page.addresses:
            parts = urlsplit(address)
            assert not parts.scheme, (path, address)
            assert not parts.netloc, (path, address)
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert goal.is_file(), (path, address)
            assert folder.resolve() in goal.parents, (path, address)
            if parts.fragment:
                assert unquote(parts.fragment) in pages[goal].ids, (path, address)
