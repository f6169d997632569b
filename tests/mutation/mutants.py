"""Do the tests notice? Puts single faults (mutants) into core modules and runs the tests of the line.

``make mutants``, or ``python tests/mutation/mutants.py [--seed N] [--sample N] [MODULE …]``: not part of
``make test``. A script of our own, because mutmut finds modules only in the folders ``.`` and ``src``, and
cosmic-ray changes the working tree and knows one command for all modules; neither draws a sample. The changes
are the usual ones of both: see A. J. Offutt et al., "An experimental determination of sufficient mutant
operators", TOSEM 1996. docs/decisions/0016-mutants.md has the results.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DATA = ROOT / "build" / "mutants.coverage"
LONGEST = 120
"""Seconds after which tests that do not end count as failed."""
SLOW = "test_all_are_valid_against_the_whole_of_tei"
"""Starts Java for each example; left out."""
MODULES = {
    "correction.error_profile": "error_profile core_guards",
    "correction.lattice": "core_guards correct line_joins model_scores",
    "correction.tagger_edits": "tagger core_guards",
    "document.model": "document core_guards decisions text_layers",
    "document.text_layers": "text_layers tei",
    "editorial.apply": "decisions core_guards",
    "inputs.pages": "input_pages input_formats core_guards",
    "layout.furniture": "furniture core_guards page_and_markup",
    "loading": "loading input_folder core_guards from_tei",
    "numbering.roman": "numbering core_guards",
    "references.resolution": "references core_guards",
    "tei.inline": "tei tei_edited core_guards",
}
"""Modules of ``hoyle`` and the tests, ``tests/unit/test_*.py``, that are meant for them."""
_OTHER = {
    ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.Is: ast.IsNot,
    ast.And: ast.Or, ast.Add: ast.Sub, ast.Mult: ast.Div, ast.Continue: ast.Break,
}  # fmt: skip
_OTHER |= {new: old for old, new in _OTHER.items()} | {ast.FloorDiv: ast.Mult}


class Mutant(NamedTuple):
    """The ``change``-th change of the ``node``-th node of a module, in a statement that begins at a line."""

    module: str
    node: int
    change: int
    line: int
    statement: int
    shown: str


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    new = deepcopy(node)
    match new:
        case ast.Compare(ops=[op]) if type(op) in _OTHER:
            new.ops = [_OTHER[type(op)]()]
            yield new
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in _OTHER:
            new.op = _OTHER[type(op)]()
            yield new
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            new.test = ast.UnaryOp(ast.Not(), test)
            yield new
        case ast.comprehension(ifs=[test, *others]):
            new.ifs = [ast.UnaryOp(ast.Not(), test), *others]
            yield new
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Continue() | ast.Break():
            yield _OTHER[type(new)]()
        case ast.Return(value=ast.AST()):
            yield ast.Return(ast.Constant(None))


def path_of(module: str) -> Path:
    return ROOT / "pipeline" / "hoyle" / f"{module.replace('.', '/')}.py"


def mutants(module: str) -> Iterator[Mutant]:
    """The mutants of a module."""
    tree = ast.parse(path_of(module).read_text(encoding="utf-8"))
    begins: dict[int, int] = {}
    for node in ast.walk(tree):  # a statement comes before those within it
        for child in ast.walk(node) if isinstance(node, ast.stmt) else ():
            begins[id(child)] = node.lineno
    for at, node in enumerate(ast.walk(tree)):
        for n, new in enumerate(changes(node)):
            line = getattr(node, "lineno", begins.get(id(node), 0))
            shown = " → ".join(ast.unparse(one).split("\n")[0][:70] for one in (node, new))
            yield Mutant(module, at, n, line, begins.get(id(node), line), shown)


def mutated(mutant: Mutant) -> ast.AST:
    """The syntax tree of the module with the change."""
    tree = ast.parse(path_of(mutant.module).read_text(encoding="utf-8"))
    nodes = [*ast.walk(tree)]
    old = nodes[mutant.node]
    new = ast.copy_location([*changes(old)][mutant.change], old)
    for parent in nodes:
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if item is old else item for item in value]
    return ast.fix_missing_locations(tree)


class Changed(SourceFileLoader):
    """Finds and loads the module with the change, and no other."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        super().__init__(f"hoyle.{mutant.module}", str(path_of(mutant.module)))

    def find_spec(self, name: str, *_: object) -> object:
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, _: str) -> object:
        return compile(mutated(self.mutant), self.path, "exec")


def in_a_child(work: object) -> int:
    """The exit code of a process that does some work; a negative one if a signal ended it."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        code = work()
    except BaseException:  # noqa: BLE001 - whatever it is, the child must end here
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(code)


def tests(arguments: list[str], *plugins: object) -> int:
    import pytest  # noqa: PLC0415 - in the child

    return int(pytest.main([*arguments, "-x", "-q", "-p", "no:xdist", "-k", f"not {SLOW}"], plugins))


def survives(mutant: Mutant, names: list[str]) -> bool:
    """Whether none of the tests fails."""

    def work() -> int:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        signal.alarm(LONGEST)
        sys.meta_path.insert(0, Changed(mutant))
        return tests(names)

    code = in_a_child(work)
    if code in (4, 5):
        raise SystemExit(f"pytest cannot run {names}")
    return code == 0


def cover(modules: list[str]) -> int:
    """Run the tests of the modules and write which lines each runs."""
    from coverage import Coverage  # noqa: PLC0415 - in the child

    DATA.parent.mkdir(exist_ok=True)
    measured = Coverage(
        data_file=str(DATA), include=[str(path_of(one)) for one in modules], config_file=False
    )

    class Contexts:
        def pytest_runtest_logstart(self, nodeid: str) -> None:
            measured.switch_context(nodeid.partition("[")[0])

    measured.start()
    files = sorted({f"tests/unit/test_{name}.py" for one in modules for name in MODULES[one].split()})
    code = tests(files, Contexts())
    measured.stop()
    measured.save()
    return code


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("modules", nargs="*", default=[*MODULES])
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--sample", type=int, default=10, help="mutants of each module")
    ask.add_argument("--reuse", action="store_true", help="which lines a test runs, from the run before")
    asked = ask.parse_args()
    os.chdir(ROOT)
    for name in ("numpy", "pydantic", "spacy"):
        import_module(name)  # once for all children
    if not asked.reuse and in_a_child(lambda: cover(asked.modules)):
        raise SystemExit("the tests fail without a change")
    from coverage import CoverageData  # noqa: PLC0415

    data = CoverageData(str(DATA))
    data.read()
    killed, tried = Counter(), Counter()
    for module in asked.modules:
        ran = data.contexts_by_lineno(str(path_of(module)))
        runs = [({*ran.get(m.line, ()), *ran.get(m.statement, ())} - {""}, m) for m in mutants(module)]
        found = [(mutant, sorted(names)) for names, mutant in runs if names]
        for mutant, names in random.Random(asked.seed).sample(found, min(asked.sample, len(found))):
            tried[module] += 1
            killed[module] += (dead := not survives(mutant, names))
            if not dead:
                print(f"survives {len(names)} tests: {module}:{mutant.line}: {mutant.shown}", flush=True)
        print(f"{module}: {killed[module]} of {tried[module]} killed", flush=True)
    total = sum(tried.values())
    print(f"{sum(killed.values())} of {total} killed ({sum(killed.values()) / total:.0%})")


if __name__ == "__main__":
    main()
