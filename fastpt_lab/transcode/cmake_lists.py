"""What has to change in a CMakeLists.txt so that it builds for CUDA and, with USE_ROCM, for HIP.

*Source*: CMake 3.21 brought the HIP language; `hip::host` and `hip::device` are the targets of
ROCm's and DTK's hip-config.cmake.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.text import TextEdit
from fastpt_lab.transcode.setup_script import BuildAdvice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.text import Document

_TOKEN = re.compile(
    r"\#\[(?P<level>=*)\[(?s:.*?)\](?P=level)\]|\#[^\r\n]*"
    r"|\[(?P<bracket>=*)\[(?s:.*?)\](?P=bracket)\]"
    r'|"(?:[^"\\]|\\(?s:.))*"|[()]|[^\s()"#]+'
)
_LIBRARIES = {
    "CUDA::cudart": "hip::host", "CUDA::cudart_static": "hip::host", "cudart": "hip::host",
    "cudart_static": "hip::host", "-lcudart_static": "hip::host", "CUDA::cuda_driver": "hip::host",
    "CUDA::cublas": "roc::hipblas", "CUDA::cublasLt": "roc::hipblaslt",
    "CUDA::cusparse": "roc::hipsparse", "CUDA::curand": "hip::hiprand",
    "CUDA::cufft": "hip::hipfft", "CUDA::cusolver": "roc::hipsolver",
    "${CUDA_LIBRARIES}": "hip::host", "${CUDA_CUDART_LIBRARY}": "hip::host",
}  # fmt: skip
_TARGETS = frozenset(
    {"add_library", "add_executable", "cuda_add_library", "cuda_add_executable"}
)


class _Command(NamedTuple):
    """A command of CMake: offsets of the whole, and its arguments with theirs."""

    name: str
    start: int
    end: int
    arguments: tuple[tuple[str, int, int], ...]


def advise_on_cmake(document: Document) -> tuple[BuildAdvice, ...]:
    """Return what a CMakeLists.txt needs to build for HIP as well."""
    commands = tuple(_commands(document.text))
    if _mentions_hip(commands):
        return ()
    found: list[BuildAdvice] = []
    for command in commands:
        if command.name == "project":
            found += _project(document, command)
        elif command.name == "enable_language":
            found += _language(document, command)
        elif command.name == "find_package":
            found += _package(document, command)
        elif command.name == "target_link_libraries":
            found += _libraries(document, command)
        elif command.name in _TARGETS:
            found += _sources(document, command)
        elif command.name == "set":
            found += _set(document, command)
    return tuple(found)


def _commands(text: str) -> Iterator[_Command]:
    name, start = "", 0
    arguments: list[tuple[str, int, int]] | None = None
    depth = 0
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word.startswith("#"):
            continue
        if arguments is None:
            if word == "(" and name:
                arguments, depth = [], 1
            else:
                name, start = word.lower(), match.start()
        elif word == "(":
            depth += 1
        elif word == ")":
            depth -= 1
            if depth == 0:
                yield _Command(name, start, match.end(), tuple(arguments))
                name, arguments = "", None
        else:
            arguments.append((word, match.start(), match.end()))


def _mentions_hip(commands: tuple[_Command, ...]) -> bool:
    """Whether the file already builds for HIP in its own way."""
    return any(
        (command.name == "enable_language" and any(a[0] == "HIP" for a in command.arguments))
        or (
            command.name == "find_package"
            and command.arguments[:1]
            and command.arguments[0][0].lower() == "hip"
        )
        for command in commands
    )


def _advice(
    document: Document, rule: str, title: str, why: str, start: int, end: int, new: str | None
) -> BuildAdvice:
    place = document.range_of(start, end)
    edits = () if new is None else (TextEdit(range=place, new_text=new),)
    return BuildAdvice(rule, title, why, place, edits)


def _either(hip: str, cuda: str, newline: str) -> str:
    return newline.join(("if(USE_ROCM)", f"  {hip}", "else()", f"  {cuda}", "endif()"))


def _project(document: Document, command: _Command) -> Iterator[BuildAdvice]:
    for word, start, end in command.arguments[1:]:
        if word != "CUDA":
            continue
        newline = document.newline
        head = document.text[command.start : start].rstrip()
        others = [a[0] for a in command.arguments[1:] if a[0] not in {"LANGUAGES", "CUDA"}]
        tail = document.text[end : command.end]
        without = head + tail if others else head + " NONE" + tail
        new = newline.join(
            (
                'option(USE_ROCM "Build for HIP instead of CUDA" OFF)',
                without,
                _either("enable_language(HIP)", "enable_language(CUDA)", newline),
            )
        )
        yield _advice(
            document, "cmake-language", "Enable HIP instead of CUDA with USE_ROCM",
            "CMake's language for .hip sources is HIP (3.21); CMAKE_HIP_ARCHITECTURES names "
            "the gfx targets", command.start, command.end, new,
        )  # fmt: skip
        return


def _language(document: Document, command: _Command) -> Iterator[BuildAdvice]:
    if [a[0] for a in command.arguments] == ["CUDA"]:
        cuda = document.text[command.start : command.end]
        yield _advice(
            document, "cmake-language", "Enable HIP instead of CUDA with USE_ROCM",
            "CMake's language for .hip sources is HIP (3.21)", command.start, command.end,
            _either("enable_language(HIP)", cuda, document.newline),
        )  # fmt: skip


def _package(document: Document, command: _Command) -> Iterator[BuildAdvice]:
    if command.arguments and command.arguments[0][0] in {"CUDA", "CUDAToolkit"}:
        cuda = document.text[command.start : command.end]
        yield _advice(
            document, "cmake-package", "Find hip instead of CUDA with USE_ROCM",
            "there is no CUDA toolkit in a HIP environment", command.start, command.end,
            _either("find_package(hip REQUIRED)", cuda, document.newline),
        )  # fmt: skip


def _libraries(document: Document, command: _Command) -> Iterator[BuildAdvice]:
    for word, start, end in command.arguments:
        hip = _LIBRARIES.get(word)
        if hip is not None:
            new = f"$<IF:$<BOOL:${{USE_ROCM}}>,{hip},{word}>"
            yield _advice(
                document, "cmake-library", f"Link {hip} instead of {word} with USE_ROCM",
                "HIP has its own library for it", start, end, new,
            )  # fmt: skip


def _sources(document: Document, command: _Command) -> Iterator[BuildAdvice]:
    sources = [a[0] for a in command.arguments if a[0].strip('"').endswith(".cu")]
    if command.name.startswith("cuda_"):
        yield _advice(
            document, "cmake-find-cuda", f"Replace {command.name}, which is FindCUDA's",
            "FindCUDA was removed in CMake 3.27; add_library with the language set builds both",
            command.start, command.end, None,
        )  # fmt: skip
    elif sources:
        newline = document.newline
        hip = f"set_source_files_properties({' '.join(sources)} PROPERTIES LANGUAGE HIP)"
        new = newline.join(("", "if(USE_ROCM)", f"  {hip}", "endif()"))
        yield _advice(
            document, "cmake-sources", "Compile the .cu sources as HIP with USE_ROCM",
            "in a copy that keeps the file paths they hold HIP code", command.end, command.end,
            new,
        )  # fmt: skip


def _set(document: Document, command: _Command) -> Iterator[BuildAdvice]:
    words = [a[0] for a in command.arguments]
    if words[:1] == ["CMAKE_CUDA_ARCHITECTURES"] or words[:1] == ["CMAKE_CUDA_FLAGS"]:
        other = words[0].replace("CUDA", "HIP")
        yield _advice(
            document, "cmake-variable", f"Set {other} for HIP too",
            f"{words[0]} says nothing to hipcc", command.start, command.end, None,
        )  # fmt: skip
    elif (
        len(words) > 1
        and re.fullmatch(r"CMAKE_(?:CXX|CUDA)_STANDARD", words[0])
        and words[1] in {"98", "11", "14"}
    ):
        _, start, end = command.arguments[1]
        yield _advice(
            document, "cmake-standard", f"Use C++17 instead of C++{words[1]}",
            "torch's headers need C++17 since torch 2.1", start, end, "17",
        )  # fmt: skip
