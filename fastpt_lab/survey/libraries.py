"""Read what build files say: the system, the C++ standard, the flags, what is linked, packages."""

from __future__ import annotations

import ast
import configparser
import re
import sys
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from fastpt_lab.core.survey import BuildFact
from fastpt_lab.core.text import Location

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.text import Document

_STANDARD = re.compile(r"--?std[= ](?:c|gnu)\+\+(?P<std>[0-9a-z]{2})")
_CMAKE_STANDARD = re.compile(
    r"(?:CMAKE_)?(?P<which>CXX|CUDA|HIP)_STANDARD\s+\"?(?P<std>\d\d)|cxx_std_(?P<feature>\d\d)"
)
_LINK = re.compile(r"(?<![\w-])-l(?P<name>[A-Za-z_][\w+.-]*)")
_FLAG = re.compile(
    r"(?<![\w-])(?P<flag>-gencode[= ]\S+|--generate-code\S*|-arch=\S+|--expt-[\w-]+|-Xptxas\S*"
    r"|--ptxas-options\S*|-lineinfo|--use_fast_math|-use_fast_math|-rdc=\S+|--maxrregcount\S*"
    r"|-Xcompiler\S*|-D\s?[A-Za-z_]\w*(?:=[^\s\"',]*)?|-U\s?[A-Za-z_]\w*|-O[0-3s]|--threads\S*)"
)
_CMAKE_COMMENT = re.compile(r"#\[(?P<eq>=*)\[.*?\](?P=eq)\]|#[^\n]*", re.DOTALL)
_CMAKE_WORDS = (
    ("system", re.compile(r"(?i)\benable_language\s*\([^)]*\bCUDA\b[^)]*\)"), "CMake, CUDA"),
    ("system", re.compile(r"(?i)\bproject\s*\([^)]*\bCUDA\b[^)]*\)"), "CMake, CUDA"),
    ("system", re.compile(r"(?i)\bfind_package\s*\(\s*CUDA\w*"), "CMake, CUDA"),
    ("system", re.compile(r"(?i)\bfind_package\s*\(\s*hip\b"), "CMake, HIP"),
    ("system", re.compile(r"(?i)\benable_language\s*\([^)]*\bHIP\b[^)]*\)"), "CMake, HIP"),
    ("system", re.compile(r"(?i)\bfind_package\s*\(\s*Torch\b"), "CMake, torch"),
)
_CMAKE_LINK = re.compile(r"(?i)\btarget_link_libraries\s*\((?P<body>[^)]*)\)")
_STATIC = re.compile(r"(?i)CUDA_RUNTIME_LIBRARY\s+\"?Static|CUDA_USE_STATIC_CUDA_RUNTIME\s+ON")
_PYTHON_SYSTEMS = {
    "CUDAExtension": "setup.py, CUDAExtension",
    "CppExtension": "setup.py, CppExtension",
    "SyclExtension": "setup.py, SyclExtension",
    "load_inline": "torch, load_inline",
    "CUDAExtensionBuilder": "setup.py, CUDAExtension",
}
_REQUIREMENT = re.compile(
    r"\s*(?P<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[=<>!~;@]|$)"
)
_REQUIRES = frozenset({"install_requires", "setup_requires", "requires", "dependencies"})


def build_facts(path: Path, document: Document) -> tuple[BuildFact, ...]:
    """Return the facts in one build file, in the order of the text, each once a place."""
    if path.suffix == ".py":
        found = _python(document)
    elif path.name == "CMakeLists.txt" or path.suffix == ".cmake":
        found = _cmake(document)
    elif path.name.startswith("requirements"):
        found = _requirements(document)
    elif path.name == "pyproject.toml":
        found = _pyproject(document)
    elif path.name == "setup.cfg":
        found = _setup_cfg(document)
    else:
        found = _flags(document.text, 0)
    ordered = sorted(set(found), key=lambda fact: (fact[2], fact[0], fact[1]))
    return tuple(
        BuildFact(
            name=name, value=value, location=Location(path, document.range_of(start, end))
        )
        for name, value, start, end in ordered
    )


_Found = tuple[str, str, int, int]


def _flags(text: str, base: int) -> Iterator[_Found]:
    for match in _STANDARD.finditer(text):
        yield "standard", f"c++{match['std']}", base + match.start(), base + match.end()
    for match in _LINK.finditer(text):
        yield "link", match["name"], base + match.start(), base + match.end()
    for match in _FLAG.finditer(text):
        yield "flag", match["flag"], base + match.start(), base + match.end()


def _cmake(document: Document) -> Iterator[_Found]:
    text = _CMAKE_COMMENT.sub(lambda m: " " * len(m[0]), document.text)
    for name, pattern, value in _CMAKE_WORDS:
        for match in pattern.finditer(text):
            yield name, value, match.start(), match.end()
    for match in _CMAKE_STANDARD.finditer(text):
        std = match["std"] or match["feature"]
        yield "standard", f"c++{std}", match.start(), match.end()
    for match in _STATIC.finditer(text):
        yield "link", "cudart_static", match.start(), match.end()
    for match in _CMAKE_LINK.finditer(text):
        for word in re.finditer(r"[\w:+.-]+", match["body"]):
            name = word[0].rpartition("::")[2]
            start = match.start("body") + word.start()
            if name.upper() not in {"PRIVATE", "PUBLIC", "INTERFACE"}:
                yield "link", name.removeprefix("-l"), start, start + len(word[0])
    yield from _flags(text, 0)


def _python(document: Document) -> Iterator[_Found]:
    """Yield the facts of a setup.py from its syntax tree: comments say nothing."""
    try:
        tree = ast.parse(document.text)
    except (SyntaxError, ValueError, RecursionError):
        return
    offsets = _Offsets(document)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = node.func.id if isinstance(node.func, ast.Name) else name
            if name in _PYTHON_SYSTEMS:
                yield "system", _PYTHON_SYSTEMS[name], *offsets.of(node.func)
            for keyword in node.keywords:
                yield from _keyword(keyword, offsets)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            start, end = offsets.of(node)
            for kind, value, _, _ in _flags(node.value, 0):
                yield kind, value, start, end


def _keyword(keyword: ast.keyword, offsets: _Offsets) -> Iterator[_Found]:
    kind = {"libraries": "link", "name": "name"}.get(keyword.arg or "")
    if keyword.arg in _REQUIRES:
        kind = "package"
    if kind is None:
        return
    for node in ast.walk(keyword.value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            value = node.value
            if kind == "package":
                match = _REQUIREMENT.match(value)
                value = match["name"] if match else ""
            if value:
                yield kind, value, *offsets.of(node)


class _Offsets:
    """Places of syntax nodes, which count UTF-8 bytes, as offsets of the text."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def of(self, node: ast.AST) -> tuple[int, int]:
        """Return where `node` begins and ends."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end_line = getattr(node, "end_lineno", line)
        end_column = getattr(node, "end_col_offset", column)
        return self._at(line, column), self._at(end_line, end_column)

    def _at(self, line: int, column: int) -> int:
        content = self._document.line(line - 1)
        character = len(content.encode("utf-8")[:column].decode("utf-8", "ignore"))
        start = self._document.line_range(line - 1).start
        return self._document.offset(start._replace(character=character))


def _requirements(document: Document) -> Iterator[_Found]:
    start = 0
    for line in document.text.splitlines(keepends=True):
        match = _REQUIREMENT.match(line.split("#")[0].rstrip())
        if match:
            yield (
                "package",
                match["name"],
                start + match.start("name"),
                start + match.end("name"),
            )
        start += len(line)


def _pyproject(document: Document) -> Iterator[_Found]:
    text = document.text
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    project = data.get("project", {})
    wanted = [
        *project.get("dependencies", []),
        *data.get("build-system", {}).get("requires", []),
    ]
    for group in project.get("optional-dependencies", {}).values():
        wanted += group
    for line in filter(lambda each: isinstance(each, str), wanted):
        match = _REQUIREMENT.match(line)
        if match:
            yield "package", match["name"], *_place_of(text, line)
    if isinstance(project.get("name"), str):
        yield "name", project["name"], *_place_of(text, project["name"])
    yield from _flags(text, 0)


def _setup_cfg(document: Document) -> Iterator[_Found]:
    text = document.text
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    name = parser.get("metadata", "name", fallback="")
    if name:
        yield "name", name, *_place_of(text, name)
    for line in parser.get("options", "install_requires", fallback="").splitlines():
        match = _REQUIREMENT.match(line)
        if match:
            yield "package", match["name"], *_place_of(text, line.strip())
    yield from _flags(text, 0)


def _place_of(text: str, word: str) -> tuple[int, int]:
    start = max(text.find(word), 0)
    return start, start + len(word)


def required(packages: tuple[str, ...], name: str) -> bool:
    """Return whether a required package is one of a feature's globs."""
    return any(fnmatch(name.lower(), pattern) for pattern in packages)
