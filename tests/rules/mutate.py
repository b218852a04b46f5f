"""Break each condition of the rules once; what is recorded of their offers must then differ.

    python tests/rules/mutate.py               every rule
    python tests/rules/mutate.py sync-vote     one of them
    python tests/rules/mutate.py kit           the kit that they share: many minutes

A condition is negated, and each part of an `and` or `or` is left out, one change at a time, in
memory. A change that neither a recorded failure nor a test in `test_told_*.py` tells apart is a
survivor: a case is missing, or the condition does nothing. Each known survivor of a rule is
listed with its reason in `survivors.json`; any other, and one
that is listed and is told, is an error.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

import pytest
from rule_offers import Input, inputs, lines_of, offers_of

from fastpt_lab.core.errors import FastptError
from fastpt_lab.rules import RULES

KNOWN = Path(__file__).parent / "survivors.json"
SECONDS = 60
_PREDICATES = frozenset({"any", "all", "bool", "isinstance"})


class HangsError(Exception):
    """A mutant did not end in time; its condition is what ends it."""


TELLING = (
    HangsError, FastptError, ArithmeticError, AssertionError, AttributeError, LookupError,
    NameError, RuntimeError, StopIteration, TypeError, ValueError,
)  # fmt: skip
"""What a rule raises whose condition kept it from doing so."""


class Mutant(NamedTuple):
    """One change: the function that it is in, what it does, and the function's new code."""

    function: str
    change: str
    code: CodeType


def changes_of(
    function: ast.AST,
) -> Iterator[tuple[str, Callable[[], None], Callable[[], None]]]:
    """Yield each change of a function's tree: what it does, how to make and to undo it."""
    for node in ast.walk(function):
        if isinstance(node, (ast.If, ast.IfExp, ast.While)):
            yield _negated(node, "test", node.test)
        elif isinstance(node, ast.comprehension):
            for index, test in enumerate(node.ifs):
                yield _negated_in(node.ifs, index, test)
        elif isinstance(node, ast.Return) and node.value and _is_condition(node.value):
            yield _negated(node, "value", node.value)
        if isinstance(node, ast.BoolOp):
            for index, value in enumerate(node.values):
                yield _dropped(node, index, value)


def _is_condition(value: ast.expr) -> bool:
    called = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    return (
        isinstance(value, (ast.Compare, ast.BoolOp))
        or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not))
        or (called and ast.unparse(value).partition("(")[0] in _PREDICATES)
    )


def _not(test: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _negated(
    node: ast.AST, name: str, test: ast.expr
) -> tuple[str, Callable[[], None], Callable[[], None]]:
    return (
        f"not ({ast.unparse(test)})",
        lambda: setattr(node, name, _not(test)),
        lambda: setattr(node, name, test),
    )


def _negated_in(
    tests: list[ast.expr], index: int, test: ast.expr
) -> tuple[str, Callable[[], None], Callable[[], None]]:
    return (
        f"not ({ast.unparse(test)})",
        lambda: tests.__setitem__(index, _not(test)),
        lambda: tests.__setitem__(index, test),
    )


def _dropped(
    node: ast.BoolOp, index: int, value: ast.expr
) -> tuple[str, Callable[[], None], Callable[[], None]]:
    whole = list(node.values)
    left = whole[:index] + whole[index + 1 :]
    return (
        f"({ast.unparse(node)}) without ({ast.unparse(value)})",
        lambda: setattr(node, "values", left if len(left) > 1 else left * 2),
        lambda: setattr(node, "values", whole),
    )


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a module, and the methods of its classes, by qualified name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = (m for m in node.body if isinstance(m, ast.FunctionDef))
            yield from ((f"{node.name}.{method.name}", method) for method in methods)


def _changes(module: ModuleType) -> Iterator[tuple[str, str, ast.FunctionDef]]:
    """Yield every change while it is made: the function, what is changed, the changed tree."""
    for name, function in _functions(ast.parse(inspect.getsource(module))):
        seen: dict[str, int] = {}
        for change, make, undo in changes_of(function):
            seen[change] = seen.get(change, 0) + 1
            again = f" ({seen[change]})" if seen[change] > 1 else ""
            make()
            yield name, change + again, function
            undo()


def mutants_of(module: ModuleType) -> Iterator[Mutant]:
    """Yield every change of every function of a module."""
    for name, change, function in _changes(module):
        compiled = compile(_alone(function), module.__file__ or "", "exec")
        code = next(
            c
            for c in compiled.co_consts
            if isinstance(c, CodeType) and c.co_name == function.name
        )
        yield Mutant(name, change, code)


def imported(name: str) -> ModuleType:
    """Return a rule's module, or one of the kit."""
    return importlib.import_module(f"fastpt_lab.rules.{name.replace('-', '_')}")


def names_of(name: str) -> set[str]:
    """Return what the changes of a module are called in reports and in the list."""
    return {f"{name}.{of}: {change}" for of, change, _ in _changes(imported(name))}


def _alone(function: ast.FunctionDef) -> ast.Module:
    """Return a module of the function alone, without decorators, as the rules' modules are."""
    copy = ast.FunctionDef(**{name: getattr(function, name) for name in function._fields})
    copy.decorator_list = []
    later = ast.ImportFrom("__future__", [ast.alias("annotations")], 0)
    return ast.fix_missing_locations(ast.Module([later, ast.copy_location(copy, function)], []))


def _function(module: ModuleType, name: str) -> FunctionType:
    found: object = module
    for part in name.split("."):
        found = vars(found)[part]
    if isinstance(found, property):
        found = found.fget
    return getattr(found, "__wrapped__", found)


def forget() -> None:
    """Empty the caches of the rules' modules, which may hold what another mutant said."""
    for name, module in list(sys.modules.items()):
        if name.startswith("fastpt_lab.rules"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


@lru_cache(maxsize=1)
def baseline() -> dict[str, dict[str, list[str]]]:
    """What the rules offer as they are."""
    return {name: offers_of(rule) for name, rule in RULES.items()}


@cache
def _in_order(name: str) -> tuple[Input, ...]:
    """Return the inputs, those first on which the rule speaks: they tell the most."""
    spoken = baseline()[name]
    return tuple(sorted(inputs(), key=lambda one: one.name not in spoken))


@cache
def _users(module: str) -> tuple[str, ...]:
    """Return the rules that a module is part of: itself, or those that import it."""
    if module in RULES:
        return (module,)
    loaded = {f"fastpt_lab.rules.{name.replace('-', '_')}": name for name in RULES}
    using, before = {f"fastpt_lab.rules.{module}"}, 0
    while len(using) > before:
        before = len(using)
        using |= {name for name, found in _kit_and_rules().items() if _imports(found) & using}
    return tuple(loaded[name] for name in sorted(using & set(loaded)))


def _kit_and_rules() -> dict[str, ModuleType]:
    return {n: m for n, m in sys.modules.items() if n.startswith("fastpt_lab.rules.")}


@cache
def _imports(module: ModuleType) -> frozenset[str]:
    """Return the modules that one imports from."""
    nodes = ast.walk(ast.parse(inspect.getsource(module)))
    found = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    whole = {f"{node.module}.{alias.name}" for node in found for alias in node.names}
    return frozenset(whole | {str(node.module) for node in found})


def _hangs(signum: int, frame: object) -> None:
    raise HangsError


def survives(module: ModuleType, mutant: Mutant, rules: tuple[str, ...]) -> bool:
    """Whether the rules offer the same with a mutant in the place of its function."""
    target = _function(module, mutant.function)
    original = target.__code__
    target.__code__ = mutant.code
    forget()
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(SECONDS)
    try:
        offered = all(
            lines_of(RULES[name], one) == baseline()[name].get(one.name, [])
            for name in rules
            for one in _in_order(name)
        )
        return offered and _tests_pass()
    except TELLING:
        return False
    finally:
        signal.alarm(0)
        target.__code__ = original
        forget()


def _tests_pass() -> bool:
    """Whether the tests of single functions pass, run in this process."""
    tests = sorted(str(path) for path in KNOWN.parent.glob("test_told_*.py"))
    with contextlib.redirect_stdout(io.StringIO()):
        return pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]) is pytest.ExitCode.OK


def survivors_of(name: str) -> tuple[int, list[str]]:
    """Return how many mutants a module has, and the names of those that survive."""
    module = imported(name)
    count, alive = 0, []
    for mutant in mutants_of(module):
        count += 1
        if survives(module, mutant, _users(name)):
            alive.append(f"{name}.{mutant.function}: {mutant.change}")
    return count, alive


def modules(asked: list[str]) -> list[str]:
    """Return the names of the modules to break."""
    if "kit" not in asked:
        return asked or sorted(RULES)
    kit = Path(imported("kit").__file__ or "").parent
    return sorted(f"kit.{p.stem}" for p in kit.glob("*.py") if p.stem != "__init__")


def main() -> int:
    """Break the conditions of the modules asked for; report the survivors."""
    known: dict[str, str] = json.loads(KNOWN.read_text("utf-8"))
    inputs()
    baseline()
    names = modules(sys.argv[1:])
    total, alive = 0, []
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, (count, survivors) in zip(names, pool.map(survivors_of, names), strict=True):
            total += count
            alive += survivors
            sys.stderr.write(f"{name}: {count} broken, {len(survivors)} survive\n")
    fresh = [name for name in alive if name not in known]
    asked = tuple(f"{name}." for name in names)
    gone = [name for name in known if name.startswith(asked) and name not in alive]
    for name in fresh:
        sys.stdout.write(f"survives: {name}\n")
    for name in gone:
        sys.stdout.write(f"is listed, and does not survive: {name}\n")
    sys.stdout.write(
        f"{total} conditions broken, {total - len(alive)} told, {len(alive) - len(fresh)} listed in"
        f" {KNOWN.name}, {len(fresh)} more survive\n"
    )
    return int(bool(fresh or gone))


if __name__ == "__main__":
    sys.exit(main())
