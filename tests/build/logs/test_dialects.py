"""One line of each tool: who said it, how bad it is, and of which kind."""

from __future__ import annotations

import pytest

from fastpt_lab.build.logs import LogParser, is_wrapper, parse, read
from fastpt_lab.core.diagnostic import Severity

ERRORS = [
    # clang and the drivers that vendors build on it
    ("dcc: error: unknown argument: '-gencode'", "clang", "unsupported-flag"),
    ("aicc: error: unsupported option '--expt-relaxed-constexpr'", "clang", "unsupported-flag"),
    ("clang-17: error: invalid target ID 'gfx936'", "clang", "unknown-arch"),
    (
        "/opt/dtk/llvm/bin/clang++: error: no such file or directory: 'a.hip'",
        "clang",
        "build-config",
    ),
    ("error: cannot find ROCm device library for ABI version 5", "clang", "missing-library"),
    ("error: ran out of registers during register allocation", "clang", "resource-limit"),
    (
        "error: stack frame size (131072) exceeds limit (131056) in function 'k'",
        "clang",
        "resource-limit",
    ),
    (
        "clang: error: cannot determine amdgcn architecture: /usr/bin/amdgpu-arch: ",
        "clang",
        "unknown-arch",
    ),
    ("LLVM ERROR: out of memory", "clang", "resource-limit"),
    ("clang: error: unable to execute command: Killed", "clang", "resource-limit"),
    (
        "a.hip:1:2: error: local memory (80000) exceeds limit (65536) in function 'k'",
        "clang",
        "resource-limit",
    ),
    ("a.hip:1:2: error: no member named 'clamp' in namespace 'std'", "clang", "cxx-standard"),
    (
        "a.hip:1:2: error: no member named 'size_t' in namespace 'std'",
        "clang",
        "undeclared-identifier",
    ),
    ("a.hip:1:2: error: invalid input constraint 'l' in asm", "clang", "inline-asm"),
    ("a.hip:1:2: error: call to 'f' is ambiguous", "clang", "ambiguous-operator"),
    # gcc, in English and in Chinese
    ("a.cpp:1:2: error: ‘x’ was not declared in this scope", "gcc", "undeclared-identifier"),
    ("a.cpp:1:2: 错误：‘x’在此作用域中尚未声明", "gcc", "undeclared-identifier"),
    ("a.cpp:1:2: 错误：‘x’未声明", "gcc", "undeclared-identifier"),
    ("a.cpp:1:2: 错误：‘x’不是一个类型名", "gcc", "undeclared-identifier"),
    ("a.cpp:1:2: 错误：‘optional’不是‘std’的成员", "gcc", "cxx-standard"),
    ("a.cpp:1:2: 错误：对‘f(int)’的调用没有匹配的函数", "gcc", "no-matching-function"),
    ("a.cpp:1:2: 错误：‘int f()’ 重定义", "gcc", "redefinition"),
    ("a.cpp:1:2: 错误：调用重载的‘f(int)’有歧义", "gcc", "ambiguous-operator"),
    ("a.cpp:1:2: 错误：提供给函数‘f’的实参太少", "gcc", "no-matching-function"),
    ("a.cpp:1:2: 错误：静态断言错误：x", "gcc", "static-assertion"),
    ("a.cpp:1:10: 致命错误：cuda_runtime.h：没有那个文件或目录", "gcc", "missing-header"),
    ("g++: 错误：unrecognized command-line option ‘--foo’", "gcc", "unsupported-flag"),
    ("g++: internal compiler error: Killed (program cc1plus)", "gcc", "resource-limit"),
    ("c++: fatal error: Killed signal terminated program cc1plus", "gcc", "resource-limit"),
    ("/tmp/cc.s:12: Error: no such instruction: `bogus %rax'", "as", "inline-asm"),
    # nvcc and its parts
    ('x.cu(12): error: identifier "foo" is undefined', "nvcc", "undeclared-identifier"),
    ('x.cu(12): error #20: identifier "foo" is undefined', "nvcc", "undeclared-identifier"),
    ('x.cu(12): catastrophic error: cannot open source file "foo.h"', "nvcc", "missing-header"),
    (
        'C:\\src\\x.cu(12,5): error: identifier "foo" is undefined',
        "nvcc",
        "undeclared-identifier",
    ),
    ("nvcc fatal   : Unsupported gpu architecture 'compute_20'", "nvcc", "unknown-arch"),
    (
        "ptxas fatal   : Value 'sm_20' is not defined for option 'gpu-name'",
        "ptxas",
        "unknown-arch",
    ),
    (
        "nvlink error   : Undefined reference to '_Z1fi' in 'a.o'",
        "nvlink",
        "undefined-reference",
    ),
    # linkers
    (
        "/usr/bin/ld: cannot find -lcudart_static: No such file or directory",
        "ld",
        "missing-library",
    ),
    ("ld: 找不到 -lfoo: 没有那个文件或目录", "ld", "missing-library"),
    ("ld.lld: error: unable to find library -lfoo", "ld", "missing-library"),
    ("lld: error: undefined hidden symbol: f(int)", "ld", "undefined-reference"),
    ("main.cpp:(.text+0xf): undefined reference to `f'", "ld", "undefined-reference"),
    ("main.cpp:(.text+0xf)：对‘f’未定义的引用", "ld", "undefined-reference"),
    (
        "/usr/bin/ld: b.o:b.cpp:(.text+0x0): multiple definition of `f'; a.o:a.cpp: first defined here",
        "ld",
        "redefinition",
    ),
    (
        "/usr/bin/ld: a.o: relocation R_X86_64_32 against `.rodata' can not be used when making a shared object; recompile with -fPIC",
        "ld",
        "build-config",
    ),
    # the loader and Python
    (
        "ImportError: libgalaxyhip.so.5: cannot open shared object file: No such file or directory",
        "loader",
        "missing-shared-object",
    ),
    (
        "./app: error while loading shared libraries: libamdhip64.so.5: cannot open shared object file",
        "loader",
        "missing-shared-object",
    ),
    (
        "ImportError: /w/ext.so: undefined symbol: _ZN3c105ErrorC1ENS_14SourceLocationERKSs",
        "loader",
        "undefined-symbol",
    ),
    (
        "./app: symbol lookup error: ./libext.so: undefined symbol: hipMalloc, version hip_4.2",
        "loader",
        "undefined-symbol",
    ),
    (
        "ImportError: /lib/libstdc++.so.6: version `GLIBCXX_3.4.30' not found (required by /w/ext.so)",
        "loader",
        "symbol-version",
    ),
    ("ImportError: libamdhip64.so: version 'hip_4.2' not found", "loader", "symbol-version"),
    (
        "./app: /lib/libc.so.6: version `GLIBC_2.34' not found (required by ./app)",
        "loader",
        "symbol-version",
    ),
    (
        "ImportError: dynamic module does not define module export function (PyInit_x)",
        "loader",
        "missing-init",
    ),
    (
        'ImportError: generic_type: type "Foo" is already registered!',
        "loader",
        "duplicate-registration",
    ),
    (
        "RuntimeError: Only a single TORCH_LIBRARY can be used to register the namespace my_ops",
        "loader",
        "duplicate-registration",
    ),
    ("ModuleNotFoundError: No module named 'torch'", "python", "build-config"),
    ("OSError: CUDA_HOME environment variable is not set.", "python", "build-config"),
    ("error: [Errno 2] No such file or directory: 'hipcc'", "setuptools", "build-config"),
    (
        "ERROR: Could not find a version that satisfies the requirement torch==2.5.1+das",
        "pip",
        "build-config",
    ),
    # devices
    ("HIP error 100: no ROCm-capable device is detected", "hip", "no-device"),
    ("RuntimeError: No HIP GPUs are available", "python", "no-device"),
    ("hygon module is NOT loaded, possibly no GPU devices", "rocminfo", "no-device"),
    ("Unable to open /dev/kfd read-write: Permission denied", "rocminfo", "no-device"),
    ("RuntimeError: HIP error: invalid device function", "python", "unknown-arch"),
    ("invalid kernel file (218)", "hip", "unknown-arch"),
    (
        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 39.41 GiB",
        "python",
        "resource-limit",
    ),
    (
        "Memory access fault by GPU node-1 (Agent handle: 0x55d0c0) on address 0x7f0000000000.",
        "hip",
        "other",
    ),
    # the shell and build tools
    ("/bin/sh: 1: hipcc: not found", "shell", "build-config"),
    ("bash: hipcc: 未找到命令", "shell", "build-config"),
    ("make: hipcc: Command not found", "make", "build-config"),
    ("make: *** No rule to make target 'x', needed by 'y'.  Stop.", "make", "build-config"),
    ("ninja: error: loading 'build.ninja': No such file or directory", "ninja", "build-config"),
    ("virtual memory exhausted: Cannot allocate memory", "shell", "resource-limit"),
    (
        "cc1plus: fatal error: error writing to /tmp/x.s: No space left on device",
        "gcc",
        "resource-limit",
    ),
]


@pytest.mark.parametrize(("line", "source", "code"), ERRORS, ids=[e[0][:60] for e in ERRORS])
def test_line_is_an_error_of_its_tool(line: str, source: str, code: str) -> None:
    (found,) = parse(line + "\n")
    assert (found.severity, found.source, found.code) == (Severity.ERROR, source, code)
    assert not is_wrapper(found.message)


@pytest.mark.parametrize(
    "line",
    [
        "FAILED: a.o",
        "FAILED: [code=1] a.o",
        "ninja: build stopped: subcommand failed.",
        "make[2]: *** [CMakeFiles/x.dir/build.make:76: a.o] Error 1",
        "make: *** [Makefile：3：a.o] 错误 1",
        "make: Target 'all' not remade because of errors.",
        "collect2: error: ld returned 1 exit status",
        "collect2: 错误：ld 返回 1",
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)",
        "Died at /opt/rocm/bin/hipcc line 501.",
        "failed to execute:/opt/rocm/lib/llvm/bin/clang++ -c a.hip",
        "error: command '/opt/rocm/bin/hipcc' failed with exit code 1",
        "error: Command '['g++', '" + "-Ix" * 9000 + "']' returned non-zero exit status 1.",
        "subprocess.CalledProcessError: Command '['ninja', '-v']' returned non-zero exit status 1.",
        "RuntimeError: Error building extension 'x'",
        "RuntimeError: Error compiling objects for extension",
        "error: subprocess-exited-with-error",
        "ERROR: Failed building wheel for x",
        "-- Configuring incomplete, errors occurred!",
        "##[error]Process completed with exit code 1.",
        'ERROR: failed to solve: process "/bin/sh -c pip install ." did not complete successfully: exit code: 1',
    ],
)
def test_line_only_reports_a_failed_command(line: str) -> None:
    (found,) = parse(line + "\n")
    assert found.is_error
    assert is_wrapper(found.message)


@pytest.mark.parametrize(
    "line",
    [
        "[5/9] Building CXX object error_handling.cpp.o",
        "-- Performing Test HAVE_X - Failed",
        "-- Looking for hipErrorNoDevice - not found",
        "hipcc -Werror -Wfatal-errors -c a.hip -o error.o",
        '   12 |   if (status != hipErrorNoDevice) throw std::runtime_error("error: none");',
        "0 errors, 3 warnings",
        "copying fatal_error.py -> build/lib",
        "libtorch.so => /opt/venv/lib/libtorch.so (0x00007f)",
        "  adding 'demo/error.py'",
    ],
)
def test_line_says_nothing(line: str) -> None:
    assert parse(line + "\n") == ()


@pytest.mark.parametrize(
    "line",
    [
        "a.cpp:1:2: warning: unused variable ‘x’ [-Wunused-variable]",
        "a.cpp:1:2: 警告：未使用的变量‘x’ [-Wunused-variable]",
        "clang: warning: -lgcc_s: 'linker' input unused [-Wunused-command-line-argument]",
        'x.cu(5): warning #177-D: variable "x" was declared but never referenced',
        "nvcc warning : Support for offline compilation will be removed",
        "/usr/bin/ld: warning: x.o: missing .note.GNU-stack section",
        "\tlibtorch.so => not found",
        "libkmod: ERROR ../libkmod/libkmod-module.c:1725 could not open /proc/modules",
        "CMake Warning at CMakeLists.txt:3 (message):",
        "ninja: warning: premature end of file; recovering",
    ],
)
def test_line_is_a_warning(line: str) -> None:
    assert [found.severity for found in parse(line + "\n")] == [Severity.WARNING]


def test_hipcc_looking_for_a_device_is_no_error() -> None:
    log = (
        "Traceback (most recent call last):\n"
        '  File "/opt/rocm/bin/rocm_agent_enumerator", line 257, in <module>\n    main()\n'
        "AnythingError: no device\n"
    )
    assert [found.is_error for found in parse(log)] == [False]


def test_traceback_points_at_the_innermost_own_file() -> None:
    log = (
        "Traceback (most recent call last):\n"
        '  File "/src/ext/setup.py", line 7, in <module>\n    setup()\n'
        '  File "/opt/venv/lib/python3.11/site-packages/setuptools/__init__.py", line 1, in setup\n    run()\n'
        "weird.module.Outcome: it broke\n"
    )
    (found,) = parse(log)
    assert found.message == "weird.module.Outcome: it broke"
    assert found.generated is not None
    assert (str(found.generated.path), found.generated.range.start.line) == (
        "/src/ext/setup.py",
        6,
    )
    assert [note.message for note in found.related] == ["in <module>", "in setup"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (
            "/src/my ext (copy)/o'brien/k.hip:3:4: error: expected ';'",
            "/src/my ext (copy)/o'brien/k.hip",
        ),
        ('/src/my ext (copy)/k.cu(3): error: expected a ";"', "/src/my ext (copy)/k.cu"),
        ("内核/核.hip:3:4: error: expected ';'", "内核/核.hip"),
        ("C:\\src\\k.hip:3:4: error: expected ';'", "C:\\src\\k.hip"),
        ("k.hip.in:3: error: expected ';'", "k.hip.in"),
    ],
)
def test_paths_as_people_have_them(line: str, path: str) -> None:
    (found,) = parse(line + "\n")
    assert found.generated is not None
    assert (str(found.generated.path), found.generated.range.start.line) == (path, 2)


def test_numbers_without_end_are_no_places() -> None:
    assert parse("a.hip:" + "9" * 6000 + ":1: error: x\n") is not None
    assert parse("9" * 6000 + " errors generated when compiling for gfx906.\n") is not None


def test_gbk_log_is_read() -> None:
    line = "内核.cpp:1:2: 错误：‘x’在此作用域中尚未声明\n"
    assert parse(line.encode("gb18030")) == parse(line)


def test_syntax_error_has_a_place_without_a_traceback() -> None:
    log = '  File "setup.py", line 3\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n'
    (found,) = parse(log)
    assert found.message == "SyntaxError: invalid syntax"
    assert found.generated is not None
    assert (str(found.generated.path), found.generated.range.start.line) == ("setup.py", 2)


def test_exception_message_on_the_next_line() -> None:
    log = "RuntimeError:\nThe detected CUDA version (13.0) mismatches the version that was used to compile\n"
    (found,) = parse(log)
    assert found.message.startswith("RuntimeError: The detected CUDA version (13.0)")
    assert found.code == "build-config"


def test_notes_frames_and_snippet_belong_to_their_message() -> None:
    log = (
        "In file included from a.hip:3:\n./b.h:5:1: error: no matching function for call to 'f'\n"
        "f(1);\n^\n./c.h:1:6: note: candidate function not viable: requires 2 arguments\nvoid f(int, int);\n     ^\n"
        "1 error generated when compiling for gfx906.\n"
    )
    (found,) = parse(log)
    assert [
        (note.message, str(note.generated and note.generated.path)) for note in found.related
    ] == [
        ("included from here", "a.hip"),
        ("candidate function not viable: requires 2 arguments", "c.h"),
    ]
    assert found.target == "gfx906"
    assert found.raw.startswith("./b.h:5:1: error:")
    assert found.raw.endswith("     ^")


def test_error_is_visible_before_the_next_line_arrives() -> None:
    parser = LogParser()
    assert parser.feed(b"a.cpp:1:2: error: expected ';'\n    1 | x\n") == []
    assert parser.unfinished is not None
    assert parser.unfinished.message == "expected ';'"
    (found,) = parser.close()
    assert parser.unfinished is None
    assert found.message == "expected ';'"


def test_messages_beyond_the_limit_are_counted() -> None:
    log = b"".join(b"a.hip:%d:1: error: expected ';'\n" % n for n in range(1, 31))
    found = read([log], limit=10)
    assert len(found) == 11
    assert found[-1].message == "20 more messages of the log are not listed"
