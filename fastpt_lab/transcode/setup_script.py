"""What has to change in a setup.py so that one script builds for CUDA and for HIP.

A flag that only nvcc takes stays for CUDA and goes under HIP, where it stands: in a list by an
unpacked condition, in a call to `append` by `extend`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.text import Document, Range, TextEdit
from fastpt_lab.transcode.flags import TAKES_VALUE, advice_on, newer_standard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LIBRARIES = {
    "cudart": "amdhip64", "cudart_static": "amdhip64", "cuda": "amdhip64", "cublas": "hipblas",
    "cublasLt": "hipblaslt", "cusparse": "hipsparse", "curand": "hiprand", "cufft": "hipfft",
    "cusolver": "hipsolver", "nvToolsExt": "roctx64", "nvrtc": "hiprtc",
}  # fmt: skip


class BuildAdvice(NamedTuple):
    """One finding in a build file; `edits` is empty where a person has to decide."""

    rule: str
    title: str
    why: str
    place: Range
    edits: tuple[TextEdit, ...] = ()


def advise_on_setup(document: Document) -> tuple[BuildAdvice, ...]:
    """Return what a setup.py needs for HIP; nothing if it is not Python that can be read."""
    try:
        tree = ast.parse(document.text)
    except (SyntaxError, ValueError):
        return ()
    script = _Script(document, tree)
    return tuple(sorted(script.advice(), key=lambda found: found.place))


class _Script:
    """One setup.py: finds flags where they stand, and writes the condition around them."""

    def __init__(self, document: Document, tree: ast.Module) -> None:
        # Python counts bytes of UTF-8, whatever the file's own encoding is.
        self._document = Document(document.text)
        self._tree = tree
        imported = {
            alias.asname or alias.name
            for node in tree.body
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        torch = "torch" if "torch" in imported else '__import__("torch")'
        self._hip = f"{torch}.version.hip"
        self._decided = set(self._under_a_condition_on_hip())

    def advice(self) -> Iterator[BuildAdvice]:
        """Yield every finding."""
        for node in ast.walk(self._tree):
            if id(node) in self._decided:
                continue
            if isinstance(node, (ast.List, ast.Tuple)):
                yield from self._list(node.elts)
            elif isinstance(node, ast.Call):
                yield from self._append(node)
            elif isinstance(node, ast.keyword) and node.arg == "libraries":
                yield from self._libraries(node.value)
            elif isinstance(node, ast.Compare):
                yield from self._home(node)

    def _under_a_condition_on_hip(self) -> Iterator[int]:
        """Yield the nodes that stand below an `if` about HIP: those the script handles itself."""
        for node in ast.walk(self._tree):
            if isinstance(node, (ast.If, ast.IfExp)):
                test = ast.unparse(node.test).lower()
                if "hip" in test or "rocm" in test:
                    yield from (id(inner) for inner in ast.walk(node))

    def _list(self, elements: Sequence[ast.expr]) -> Iterator[BuildAdvice]:
        index = 0
        while index < len(elements):
            flag = _text(elements[index])
            advice = advice_on(flag) if flag else None
            if flag is None or advice is None:
                if flag and newer_standard(flag):
                    yield self._standard(elements[index], flag)
                index += 1
                continue
            first, hip, reasons = index, [*advice.hip], [f"{flag}: {advice.why}"]
            index += 1
            while index < len(elements):
                before, flag = flag, _text(elements[index])
                if flag is None:
                    break
                if not (before and TAKES_VALUE.fullmatch(before)):
                    advice = advice_on(flag)
                    if advice is None:
                        break
                    hip += advice.hip
                    reasons.append(f"{flag}: {advice.why}")
                index += 1
            yield self._flags(elements[first], elements[index - 1], hip, reasons)

    def _flags(
        self, first: ast.expr, last: ast.expr, hip: Sequence[str], reasons: Sequence[str]
    ) -> BuildAdvice:
        place = self._range(first, last)
        cuda = self._document.slice(place)
        words = ", ".join(f'"{word}"' for word in dict.fromkeys(hip))
        new = f"*([{words}] if {self._hip} else [{cuda}])"
        return BuildAdvice(
            "build-flags",
            f"Pass {' '.join(cuda.split())} to nvcc alone",
            "; ".join(dict.fromkeys(reasons)),
            place,
            (TextEdit(range=place, new_text=new),),
        )

    def _standard(self, element: ast.expr, flag: str) -> BuildAdvice:
        place = self._range(element, element)
        new = f'"{newer_standard(flag)}" if {self._hip} else {self._document.slice(place)}'
        return BuildAdvice(
            "build-standard",
            f"Use {newer_standard(flag)} instead of {flag} under HIP",
            "torch's headers need C++17 since torch 2.1",
            place,
            (TextEdit(range=place, new_text=f"({new})"),),
        )

    def _append(self, call: ast.Call) -> Iterator[BuildAdvice]:
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr != "append":
            return
        flag = _text(call.args[0]) if len(call.args) == 1 else None
        advice = advice_on(flag) if flag else None
        if flag is None or advice is None:
            return
        name = self._document.slice(self._range(function.value, function.value))
        place = self._range(call, call)
        words = ", ".join(f'"{word}"' for word in advice.hip)
        written = self._document.slice(self._range(call.args[0], call.args[0]))
        new = f"{name}.extend([{words}] if {self._hip} else [{written}])"
        yield BuildAdvice(
            "build-flags",
            f"Pass {flag} to nvcc alone",
            f"{flag}: {advice.why}",
            place,
            (TextEdit(range=place, new_text=new),),
        )

    def _libraries(self, value: ast.expr) -> Iterator[BuildAdvice]:
        for element in value.elts if isinstance(value, (ast.List, ast.Tuple)) else ():
            name = _text(element)
            if name in _LIBRARIES:
                place = self._range(element, element)
                cuda = self._document.slice(place)
                new = f'("{_LIBRARIES[name]}" if {self._hip} else {cuda})'
                yield BuildAdvice(
                    "build-libraries",
                    f"Link {_LIBRARIES[name]} instead of {name} under HIP",
                    "HIP has its own library for it",
                    place,
                    (TextEdit(range=place, new_text=new),),
                )

    def _home(self, node: ast.Compare) -> Iterator[BuildAdvice]:
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if "CUDA_HOME" in names:
            yield BuildAdvice(
                "build-cuda-home",
                "Ask for ROCM_HOME too where CUDA_HOME is tested",
                "a HIP build of torch has no CUDA_HOME, so the script takes it for a CPU build",
                self._range(node, node),
            )

    def _range(self, first: ast.expr, last: ast.expr) -> Range:
        start = self._document.position_from_bytes(first.lineno, first.col_offset + 1)
        end = self._document.position_from_bytes(
            last.end_lineno or last.lineno, (last.end_col_offset or 0) + 1
        )
        return Range(start, end)


def _text(node: ast.expr) -> str | None:
    return (
        node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
    )
