"""Docstrings: what they point to is there, and functions say what they take."""

import ast
import importlib
import re
from pathlib import Path

import click
import pytest

from hoyle.tables import data_file

PACKAGE = data_file("languages").parent
MODULES = [
    ".".join(("hoyle", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__main__.py"
]
ROLE = re.compile(r":(?:mod|class|func|meth|attr|data|exc):`~?([\w.]+)`")
ELSEWHERE = re.compile(r"See :(class|func):")


def functions(name: str):
    """The public functions and methods of a module, with their names."""
    tree = ast.parse(Path(importlib.import_module(name).__file__).read_text(encoding="utf-8"))
    public = [node for node in tree.body if not getattr(node, "name", "_").startswith("_")]
    for node in public:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                yield f"{node.name}.{inner.name}", inner


def is_command(module, name: str) -> bool:
    """Whether a function is a command, whose docstring is its ``--help``."""
    return isinstance(getattr(module, name, None), click.Command)


@pytest.mark.parametrize("name", MODULES)
def test_a_function_of_two_parameters_or_more_describes_them(name):
    module = importlib.import_module(name)
    missing = []
    for qualified, node in functions(name):
        given = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        taken = [arg for arg in given if arg not in {"self", "cls"}]
        text = ast.get_docstring(node) or ""
        if len(taken) > 1 and "Args:" not in text and not ELSEWHERE.match(text):
            missing += [] if is_command(module, qualified) else [qualified]
    assert missing == []


def resolves(module, target: str) -> bool:
    """Whether a role names something that is there, by its full name or within the module."""
    parts = target.split(".")
    for at in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:at]))
        except ImportError:
            continue
        return has(found, parts[at:])
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    return any(has(owner, parts) for owner in (module, *classes))


def has(owner, parts: list[str]) -> bool:
    """Whether a chain of attributes or annotated fields is there."""
    if not parts:
        return True
    first, *rest = parts
    if first in getattr(owner, "__annotations__", {}):
        return not rest
    return hasattr(owner, first) and has(getattr(owner, first), rest)


@pytest.mark.parametrize("name", MODULES)
def test_what_a_docstring_points_to_is_there(name):
    module = importlib.import_module(name)
    text = Path(module.__file__).read_text(encoding="utf-8")
    assert [target for target in ROLE.findall(text) if not resolves(module, target)] == []
