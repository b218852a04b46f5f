"""Printed places become places in the original; followers and repeats are folded."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fastpt_lab.build.locate import first_error, locate
from fastpt_lab.build.logs import parse
from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.sourcemap import Origin, SourceMap
from fastpt_lab.core.text import Document
from fastpt_lab.host.files import read_source
from fastpt_lab.transcode.origin import aligned_origin

CASES = Path(__file__).parents[1] / "fixtures" / "cases"
COMPILED = sorted(
    path.parent for path in CASES.glob("*/meta.json") if (path.parent / "input.cu").exists()
)
# The shim stands for an SDK's header: the user's nearest frame is the place to read.
IN_SDK_HEADER = {"03-sync-mask-64bit": "input.cu:5"}


def document(path: Path) -> Document | None:
    return read_source(path).document if path.is_file() else None


def originals_in(case: Path) -> Callable[[Path], Origin | None]:
    pairs = {case / "transcoded.hip": case / "input.cu"}
    for header in case.rglob("*_hip.cuh"):
        pairs[header] = header.with_name(header.name.replace("_hip", ""))

    def origin(path: Path) -> Origin | None:
        return aligned_origin(pairs[path], path) if path in pairs else None

    return origin


def report(
    log: str | bytes, root: Path, origin: Callable[[Path], Origin | None] | None = None
) -> tuple[Diagnostic, ...]:
    return locate(
        parse(log), origin=origin or (lambda _: None), document=document, root=root, cwd=root
    )


def place(found: Diagnostic | None, root: Path) -> str | None:
    if found is None or found.location is None:
        return None
    line = found.location.range.start.line + 1
    return f"{found.location.path.relative_to(root)}:{line}"


@pytest.mark.parametrize("case", COMPILED, ids=lambda path: path.name)
def test_compiler_case_is_shown_in_its_original(case: Path) -> None:
    meta: dict[str, Any] = json.loads((case / "meta.json").read_text("utf-8"))
    found = first_error(report((case / "stderr.txt").read_bytes(), case, originals_in(case)))
    assert place(found, case) == IN_SDK_HEADER.get(case.name, meta["original_location"])


def text_of(found: Diagnostic) -> str:
    assert found.location is not None
    here = document(found.location.path)
    assert here is not None
    return here.slice(found.location.range)


@pytest.mark.parametrize(
    ("case", "text"),
    [
        ("01-shfl-xor-sync", "__shfl_xor_sync"),
        ("06-ballot-popc", "__ballot_sync"),  # a lone caret
        ("15-float2-mul-ambiguous", "*"),  # the caret between tildes
        ("26-bf16-header", "<cuda_bf16.h>"),  # replaced text
        ("42-func-set-attribute", "cudaFuncSetAttribute"),
        ("56-default-cxx11", "is_same_v"),
    ],
)
def test_range_covers_what_the_compiler_marked(case: str, text: str) -> None:
    folder = CASES / case
    found = first_error(
        report((folder / "stderr.txt").read_bytes(), folder, originals_in(folder))
    )
    assert found is not None
    assert text_of(found) == text


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_clang_counts_bytes(tmp_path: Path, encoding: str) -> None:
    line = "/* 中文 */ void f() { nope(); }"
    write(tmp_path / "a.hip", line + "\n", encoding)
    column = len(line[: line.index("nope")].encode(encoding)) + 1
    (found,) = report(
        f"a.hip:1:{column}: error: use of undeclared identifier 'nope'\n", tmp_path
    )
    assert text_of(found) == "nope"


def test_new_gcc_counts_columns_and_old_gcc_bytes(tmp_path: Path) -> None:
    line = "\t/* 中文 */ int x = nope;"
    write(tmp_path / "a.cpp", line + "\n")
    shown = "        /* 中文 */ int x = nope;"
    caret = " " * (8 + len("/* 中文 */ int x = ") + 2) + "^~~~"
    log = "a.cpp:1:{}: error: ‘nope’ was not declared in this scope\n    1 | {}\n      | {}\n"
    in_columns = 8 + len("/* 中文 */ int x = ") + 2 + 1
    in_bytes = len(line[: line.index("nope")].encode()) + 1
    for column in (in_columns, in_bytes):
        (found,) = report(log.format(column, shown, caret), tmp_path)
        assert text_of(found) == "nope", column


def test_nvcc_prints_no_column_but_a_caret(tmp_path: Path) -> None:
    write(tmp_path / "a.cu", "int a;\n\tint y = nope(1);\n")
    log = (
        'a.cu(2): error: identifier "nope" is undefined\n   int y = nope(1);\n           ^\n\n'
    )
    (found,) = report(log, tmp_path)
    assert text_of(found) == "nope"


def test_system_header_gives_way_to_the_nearest_own_frame(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root / "a.hip", '#include "b.h"\nint main() { return 0; }\n')
    write(root / "b.h", "#include <sdk.h>\n")
    write(tmp_path / "sdk" / "sdk.h", "bad\n")
    log = (
        "In file included from a.hip:1:\nIn file included from ./b.h:1:\n"
        f"{tmp_path}/sdk/sdk.h:1:1: error: unknown type name 'bad'\nbad\n^\n"
    )
    (found,) = report(log, root)
    assert place(found, root) == "b.h:1"
    assert found.generated is not None
    assert found.generated.path == tmp_path / "sdk" / "sdk.h"
    assert any(r.generated == found.generated for r in found.related)


def test_instantiation_frame_is_nearer_than_the_include(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root / "a.hip", "#include <sdk.h>\n\nvoid g() { call(1); }\n")
    write(tmp_path / "sdk.h", "template <class T> void call(T t) { t.x; }\n")
    log = (
        f"In file included from a.hip:1:\n{tmp_path}/sdk.h:1:38: error: member reference base type\n"
        "template <class T> void call(T t) { t.x; }\n                                     ^\n"
        "a.hip:3:12: note: in instantiation of function template specialization 'call<int>' requested here\n"
    )
    (found,) = report(log, root)
    assert place(found, root) == "a.hip:3"


def test_log_of_another_machine_finds_the_files_here(tmp_path: Path) -> None:
    write(tmp_path / "csrc" / "k.hip", "int a;\nint b = q;\n")
    log = "/home/ci/work/ext/csrc/k.hip:2:9: error: use of undeclared identifier 'q'\n"
    (found,) = report(log, tmp_path)
    assert place(found, tmp_path) == "csrc/k.hip:2"


def test_folder_that_make_entered(tmp_path: Path) -> None:
    write(tmp_path / "sub" / "a.cpp", "int b = q;\n")
    write(tmp_path / "a.cpp", "\n")
    log = (
        f"make[1]: Entering directory '{tmp_path}/sub'\na.cpp:1:9: error: use of undeclared identifier 'q'\n"
        "make[1]: *** [Makefile:2: a.o] Error 1\n"
        f"make[1]: Leaving directory '{tmp_path}/sub'\na.cpp:1:1: error: other\n"
    )
    first, *_, last = report(log, tmp_path)
    assert place(first, tmp_path) == "sub/a.cpp:1"
    assert place(last, tmp_path) == "a.cpp:1"


def test_text_that_the_transcoder_added_shows_the_place_before_it(tmp_path: Path) -> None:
    original, added = "int a;\nint b;\n", '#include "hip/hip_runtime.h"\n'
    write(tmp_path / "k.cu", original)
    write(tmp_path / "k.hip", added + original)
    origin = Origin(
        original_path=tmp_path / "k.cu",
        original=Document(original),
        generated=Document(added + original),
        source_map=SourceMap.from_replacements([(0, 0, added)]),
    )
    log = "k.hip:1:10: fatal error: 'hip/hip_runtime.h' file not found\n"
    (found,) = report(log, tmp_path, {tmp_path / "k.hip": origin}.get)
    assert place(found, tmp_path) == "k.cu:1"


def test_file_that_is_not_there_keeps_the_printed_place(tmp_path: Path) -> None:
    (found,) = report("gone/k.hip:7:3: error: expected ';'\n", tmp_path)
    assert found.location is None
    assert found.generated is not None
    assert str(found.generated.path) == "gone/k.hip"
    assert found.generated.range.start == (6, 2)


def test_path_that_no_file_system_takes(tmp_path: Path) -> None:
    (found,) = report("x" * 5000 + ".hip:7:3: error: expected ';'\n", tmp_path)
    assert found.location is None


REPEATED = (
    "k.hip:3:5: error: use of undeclared identifier 'q'\n  q;\n  ^\n"
    "1 error generated when compiling for {}.\n"
)


def test_repeats_of_other_targets_are_one(tmp_path: Path) -> None:
    log = "".join(REPEATED.format(target) for target in ("gfx906", "gfx928", "host"))
    (found,) = report(log, tmp_path)
    assert found.target == "gfx906,gfx928,host"


def test_header_error_of_two_units_is_one(tmp_path: Path) -> None:
    log = "".join(
        f"In file included from {unit}:1:\n./h.cuh:2:3: error: unknown type name 'T'\n"
        "1 error generated when compiling for gfx906.\n"
        for unit in ("a.hip", "b.hip")
    )
    assert len(report(log, tmp_path)) == 1


@pytest.mark.parametrize(
    ("follower", "line"),
    [
        ("too few arguments to function call, expected at least 1, have 0", 3),
        ("expected ';' after expression", 3),
        ("no matching function for call to 'x'", 3),
    ],
)
def test_what_follows_on_the_line_of_an_unknown_name(
    tmp_path: Path, follower: str, line: int
) -> None:
    log = (
        "k.hip:3:5: error: use of undeclared identifier 'q'; did you mean 'r'?\n  q();\n  ^\n"
        f"k.hip:{line}:9: error: {follower}\n  q();\n      ^\n"
    )
    first, second = report(log, tmp_path)
    assert second.caused_by == first.id


def test_what_clang_says_about_its_own_suggestion(tmp_path: Path) -> None:
    case = CASES / "41-hmax"
    first, second, *_ = report((case / "stderr.txt").read_bytes(), case)
    assert "'__fmax'" in second.message
    assert second.caused_by == first.id


def test_same_name_at_another_place_stands_alone(tmp_path: Path) -> None:
    log = (
        "k.hip:3:5: error: use of undeclared identifier 'q'\nk.hip:3:9: error: use of undeclared identifier 'q'\n"
        "k.hip:4:9: error: expected ';'\n"
    )
    assert [one.caused_by for one in report(log, tmp_path)] == [None, None, None]


def test_name_that_the_broken_declaration_would_have_declared(tmp_path: Path) -> None:
    log = (
        "k.hip:3:3: error: unknown type name 'cudaLaunchConfig_t'\n  cudaLaunchConfig_t cfg = {}, *p = start;\n  ^\n"
        "k.hip:9:3: error: use of undeclared identifier 'cfg'\n  cfg.x = 1;\n  ^\n"
        "k.hip:9:9: error: use of undeclared identifier 'start'\n  start;\n  ^\n"
    )
    first, cfg, start = report(log, tmp_path)
    assert (cfg.message, cfg.caused_by) == ("use of undeclared identifier 'cfg'", first.id)
    assert start.caused_by is None


def test_undefined_symbol_from_two_places_is_one_cause(tmp_path: Path) -> None:
    log = (
        "main.cpp:5: undefined reference to `f()'\nmain.cpp:9: undefined reference to `f()'\n"
        "main.cpp:9: undefined reference to `g()'\ncollect2: error: ld returned 1 exit status\n"
    )
    found = report(log, tmp_path)
    assert [one.caused_by for one in found] == [None, "d1", None, "d3"]


def test_errors_come_before_warnings_and_followers_behind_their_cause(tmp_path: Path) -> None:
    log = (
        "a.cpp:1:1: warning: w [-Wx]\nFAILED: a.o\na.cpp:2:1: error: e\n"
        "b.cpp:1:1: error: f\nninja: build stopped: subcommand failed.\n"
    )
    found = report(log, tmp_path)
    assert [(one.message, one.caused_by) for one in found] == [
        ("e", None),
        ("FAILED: a.o", "d1"),
        ("f", None),
        ("build stopped: subcommand failed.", "d3"),
        ("w [-Wx]", None),
    ]
    assert found[-1].severity is Severity.WARNING


def test_wrapper_is_the_error_where_nothing_else_was_said(tmp_path: Path) -> None:
    log = "FAILED: a.o\nninja: build stopped: subcommand failed.\n"
    found = report(log, tmp_path)
    first = first_error(found)
    assert first is not None
    assert first.message == "FAILED: a.o"
    assert [one.caused_by for one in found] == [None, "d1"]


def test_no_error_no_first_error(tmp_path: Path) -> None:
    assert first_error(report("a.cpp:1:1: warning: w\n[1/2] all fine\n", tmp_path)) is None


def test_folders_of_the_project_may_be_called_cuda_or_rocm(tmp_path: Path) -> None:
    for folder in ("csrc/cuda", "rocm", "opt/dtk"):
        write(tmp_path / folder / "k.h", "bad\n")
        (found,) = report(f"{folder}/k.h:1:1: error: unknown type name 'bad'\n", tmp_path)
        assert place(found, tmp_path) == f"{folder}/k.h:1"


def test_lld_names_the_place_in_a_note(tmp_path: Path) -> None:
    write(tmp_path / "m.cpp", "int f();\nint main() { return f(); }\n")
    log = "ld.lld: error: undefined symbol: f()\n>>> referenced by m.cpp:2 (./m.cpp:2)\n>>>               m.o:(main)\n"
    (found,) = report(log, tmp_path)
    assert place(found, tmp_path) == "m.cpp:2"


def test_mangled_names_get_a_readable_note(tmp_path: Path) -> None:
    (found,) = report("OSError: ./ext.so: undefined symbol: _Z10launch_incPfi\n", tmp_path)
    assert found.message == "OSError: ./ext.so: undefined symbol: _Z10launch_incPfi"
    assert [note.message for note in found.related] == (
        ["_Z10launch_incPfi is launch_inc(float*, int)"] if shutil.which("c++filt") else []
    )


def test_prefix_that_nobody_knows(tmp_path: Path) -> None:
    write(tmp_path / "k.hip", "int a = q;\n")
    (found,) = report(
        "worker 3> k.hip:1:9: error: use of undeclared identifier 'q'\n", tmp_path
    )
    assert place(found, tmp_path) == "k.hip:1"
    (found,) = report("stage k.hip:1:9: error: use of undeclared identifier 'q'\n", tmp_path)
    assert place(found, tmp_path) == "k.hip:1"
