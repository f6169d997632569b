"""What is installed is what is named: pyproject.toml, constraints.txt and requirements.txt agree."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import requires, version

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.gold import SEEDS

ROOT = SEEDS.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.txt").read_text(encoding="utf-8")
EXTRAS = PROJECT["project"]["optional-dependencies"]
BUILD = [*PROJECT["build-system"]["requires"], "editables"]


def pins(text: str) -> dict[str, str]:
    """The versions of packages by their names."""
    found = re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


LOCKED = pins(LOCK)
PINNED = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))


def needed(*groups: list[str]) -> list[Requirement]:
    return [Requirement(text) for group in groups for text in group]


def test_every_dependency_has_a_version_that_pyproject_allows():
    extras = [group for name, group in EXTRAS.items() if name != "train"]  # of the machine that trains
    for requirement in needed(PROJECT["project"]["dependencies"], BUILD, *extras):
        assert requirement.specifier.contains(PINNED[canonicalize_name(requirement.name)]), requirement


def test_the_lock_has_the_versions_of_the_constraints_and_a_hash_of_each():
    assert LOCKED.items() <= PINNED.items()
    entries = LOCK.replace("\\\n", "").splitlines()
    assert len(entries) == len(LOCKED)
    for entry in entries:
        assert re.fullmatch(r"[\w.-]+==[^\s;]+( ; [^#]+?)?( +--hash=sha256:[0-9a-f]{64})+", entry), entry


@pytest.mark.parametrize("name", ["hoyle", "hatchling", "editables"])
def test_the_lock_has_all_that_its_packages_need(name):
    """Or ``pip install --require-hashes`` refuses it."""
    ask, seen = [Requirement(name)], set()
    if name == "hoyle":
        ask = needed(PROJECT["project"]["dependencies"])
    while ask:
        one = ask.pop()
        if (one.name, *one.extras) in seen or (one.marker and not one.marker.evaluate({"extra": ""})):
            continue
        seen.add((one.name, *one.extras))
        assert canonicalize_name(one.name) in LOCKED, one
        if version(one.name) == LOCKED[canonicalize_name(one.name)]:  # another version needs other packages
            ask += [Requirement(text) for text in requires(one.name) or ()]
    assert seen
