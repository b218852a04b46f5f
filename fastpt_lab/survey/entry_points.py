"""Find operators that are called from Python without a look at their tensors.

A kernel that gets the wrong dtype, shape, layout or device reads foreign memory: on a DCU that
ends the process (`Memory access fault by GPU node`), where a check would have named the argument.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.survey import Lint
from fastpt_lab.core.text import Location
from fastpt_lab.survey.python_source import dotted, place_of
from fastpt_lab.survey.unit import Function, Unit, functions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from fastpt_lab.core.text import Document

CHECKS = ("device", "dtype", "shape", "contiguity")
_SPOKEN = {
    "device": "the device",
    "dtype": "the dtype",
    "shape": "the shape",
    "contiguity": "the contiguity",
}
_CPP = {
    "device": re.compile(r"is_cuda|\bdevice\s*\(|CHECK_CUDA|CHECK_INPUT|is_cpu|CHECK_DEVICE"),
    "dtype": re.compile(r"scalar_type|\bdtype\s*\(|AT_DISPATCH|CHECK_INPUT_TYPE|data_ptr<"),
    "shape": re.compile(r"\bsizes?\s*\(|\bdim\s*\(|\bnumel\s*\(|\bndimension\s*\(|CHECK_SHAPE"),
    "contiguity": re.compile(
        r"contiguous|CHECK_CONTIGUOUS|CHECK_INPUT|PackedTensorAccessor|stride"
    ),
}
_PYTHON = {
    "device": re.compile(r"\.is_cuda|\.device\b"),
    "dtype": re.compile(r"\.dtype\b|\.float\(\)|\.half\(\)|\.to\("),
    "shape": re.compile(r"\.shape\b|\.size\(|\.dim\(|\.ndim\b|\.numel\("),
    "contiguity": re.compile(r"contiguous"),
}
_SUGGESTED_CPP = {
    "device": 'TORCH_CHECK({x}.is_cuda(), "{x} must be on the device");',
    "dtype": 'TORCH_CHECK({x}.scalar_type() == torch::kFloat, "{x} must be float32");',
    "shape": 'TORCH_CHECK({x}.dim() == 2, "{x} must have two dimensions");',
    "contiguity": 'TORCH_CHECK({x}.is_contiguous(), "{x} must be contiguous");',
}
_SUGGESTED_PYTHON = {
    "device": 'assert {x}.is_cuda, "{x} must be on the device"',
    "dtype": 'assert {x}.dtype == torch.float32, "{x} must be float32"',
    "shape": 'assert {x}.dim() == 2, "{x} must have two dimensions"',
    "contiguity": "{x} = {x}.contiguous()",
}
_BINDING = re.compile(
    r"\b(?:m|module|ops|\w+)\s*\.\s*(?:def|impl)\s*\(\s*\"(?P<name>\w+)[^\"]*\"\s*,\s*"
    r"(?:\w+\s*\(\s*)?&?(?:TORCH_FN\s*\(\s*)?(?P<target>[\w:]+)"
)
_TENSOR = re.compile(
    r"(?:const\s+)?(?:torch|at)::Tensor\s*&?\s*(?P<name>\w+)|(?<!:)\bTensor\s*&?\s*(?P<own>\w+)"
)


class EntryPoint(NamedTuple):
    """A C++ function bound to Python, its tensors and the checks it lacks."""

    name: str
    unit: Unit
    function: Function
    tensors: tuple[str, ...]
    missing: tuple[str, ...]


def bindings(units: Sequence[Unit]) -> dict[str, str]:
    """Return the names that Python sees, with the C++ function behind each."""
    return {
        match["name"]: match["target"].rpartition("::")[2]
        for unit in units
        if ".def" in unit.text or ".impl" in unit.text
        for match in _BINDING.finditer(unit.text)
        if not unit.live.dead(match.start())
    }


def entry_points(units: Sequence[Unit], bound: Mapping[str, str]) -> tuple[EntryPoint, ...]:
    """Return the bound functions that take tensors, with what they and their callees check."""
    by_name: dict[str, list[tuple[Unit, Function]]] = {}
    for unit in units if bound else ():
        for function in functions(unit):
            if not function.qualifiers:
                by_name.setdefault(function.name, []).append((unit, function))
    found: list[EntryPoint] = []
    for name, target in bound.items():
        for unit, function in by_name.get(target, ())[:1]:
            tensors = _tensors(unit, function)
            if tensors:
                text = _with_callees(unit, function, by_name)
                missing = tuple(c for c in CHECKS if not _CPP[c].search(text))
                found.append(EntryPoint(name, unit, function, tensors, missing))
    return tuple(found)


def _tensors(unit: Unit, function: Function) -> tuple[str, ...]:
    start = unit.words[function.head].start
    head = unit.text[start : unit.words[function.opening].start]
    head = head[head.find("(") :]
    return tuple(match["name"] or match["own"] for match in _TENSOR.finditer(head))


def _with_callees(
    unit: Unit, function: Function, by_name: Mapping[str, list[tuple[Unit, Function]]]
) -> str:
    """Return the body with the bodies of the project's functions that it calls."""
    parts = [_body(unit, function)]
    for word in unit.words[function.opening : function.closing]:
        for other, callee in by_name.get(word.text, ())[:1]:
            if callee is not function:
                parts.append(_body(other, callee))
    return "\n".join(parts)


def _body(unit: Unit, function: Function) -> str:
    return unit.text[unit.words[function.opening].start : unit.words[function.closing].end]


def cpp_lints(points: Sequence[EntryPoint]) -> Iterator[Lint]:
    """Yield a maybe for each bound function that lacks a check."""
    for point in points:
        if not point.missing:
            continue
        words = point.unit.words[point.function.head : point.function.opening]
        place = next((w for w in words if w.text == point.function.name), words[0])
        suggestion = "\n".join(
            _SUGGESTED_CPP[check].format(x=point.tensors[0]) for check in point.missing
        )
        yield _lint(
            f"{point.function.name} is called from Python as {point.name} and does not check "
            f"{_listed(point.missing)} of {', '.join(point.tensors)}",
            Location(point.unit.path, point.unit.document.range_of(place.start, place.end)),
            suggestion,
        )


def python_entry_lints(
    path: Path,
    document: Document,
    tree: ast.Module,
    extensions: frozenset[str],
    checked: frozenset[str],
) -> Iterator[Lint]:
    """Yield a maybe for each wrapper that hands tensors over unchecked.

    Args:
        path: of a Python file.
        document: its text.
        tree: its syntax.
        extensions: names of the project's extension modules.
        checked: functions whose C++ side is in the project, where the check belongs.
    """
    modules = _modules(tree, extensions)
    if not modules:
        return
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        text = document.slice(place_of(path, document, node).range)
        names = {argument.arg for argument in node.args.args} - {"self", "ctx", "cls"}
        for call in ast.walk(node):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            if dotted(call.func.value) not in modules or call.func.attr in checked:
                continue
            given = [a.id for a in call.args if isinstance(a, ast.Name) and a.id in names]
            missing = [check for check in CHECKS if not _PYTHON[check].search(text)]
            if given and missing:
                yield _lint(
                    f"{node.name} hands {', '.join(given)} to {dotted(call.func)} without a check "
                    f"of {_listed(missing)}",
                    place_of(path, document, call),
                    "\n".join(_SUGGESTED_PYTHON[check].format(x=given[0]) for check in missing),
                )


def _modules(tree: ast.Module, extensions: frozenset[str]) -> frozenset[str]:
    """Return the names by which a file calls the extension modules."""
    lasts = {name.rpartition(".")[2] for name in extensions}
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in extensions or alias.name.rpartition(".")[2] in lasts:
                    found.add(alias.asname or alias.name)
        elif isinstance(node, ast.ImportFrom):
            found.update(a.asname or a.name for a in node.names if a.name in lasts)
        elif isinstance(node, ast.Assign) and _loads(node.value):
            found.update(dotted(target) for target in node.targets)
    return frozenset(found)


def _loads(node: ast.expr) -> bool:
    """Return whether an expression is torch's `load(name=…)`."""
    return (
        isinstance(node, ast.Call)
        and dotted(node.func).rpartition(".")[2] in {"load", "load_inline"}
        and any(keyword.arg == "name" for keyword in node.keywords)
    )


def _listed(checks: Sequence[str]) -> str:
    return ", ".join(_SPOKEN[check] for check in checks)


def _lint(message: str, place: Location, suggestion: str) -> Lint:
    return Lint(
        check="unchecked-entry",
        certain=False,
        diagnostic=Diagnostic(
            severity=Severity.INFORMATION, message=message, source="entry", location=place
        ),
        suggestion=suggestion,
    )
