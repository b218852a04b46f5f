"""Ask every dialect about one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.build.logs import (
    clang,
    cmake,
    device,
    gcc,
    linker,
    loader,
    located,
    make,
    ninja,
    nvcc,
    packaging,
    python,
    shell,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastpt_lab.build.logs.mark import Mark

_DIALECTS: tuple[Callable[[str], Mark | None], ...] = (
    # Frequent shapes first; words that may stand anywhere in a line, and `tool: error:`, last.
    located.located,
    gcc.recognise,
    packaging.recognise,
    clang.recognise,
    ninja.recognise,
    cmake.recognise,
    make.recognise,
    linker.recognise,
    nvcc.recognise,
    python.recognise,
    loader.recognise,
    device.recognise,
    shell.recognise,
)

WORDS: tuple[str, ...] = (
    # Not "rror" or "fatal" alone: they stand in the flags of every verbose command.
    "rror:",
    "rror #",
    "rror  ",
    "CMake Error",
    "hipError",
    "cudaError",
    "[error]",
    "ERROR",
    "fatal ",
    "fatal:",
    "arning:",
    "arning ",
    "FAILED",
    "*** ",
    "ndefined",
    "ultiple def",
    "annot ",
    "ot found",
    "No such file",
    "No space left",
    "egistered",
    "NOT loaded",
    "capable device",
    "hsa api",
    "emory exhausted",
    "out of memory",
    "not recognized",
    "kfd",
    "VMFault",
    "access fault",
    "ation fault",
    "kernel file",
    "Killed",
    "dumped",
    "what():",
    "relocation",
    "Died at",
    "failed to execute",
    "build stopped",
    "errors occurred",
    "not remade",
    "non-zero",
    "Python error",
    "In file included",
    "required from",
    ": In ",
    "in function",
    'File "',
    "Traceback",
    "ing directory",
    " generated when",
    " generated.",
    "错误",
    "警告",
    "未定义",
    "找不到",
    "未找到",
    "没有那个文件",
    "无法识别",
    "无法打开",
    "进入目录",
    "离开目录",
    "在包含",
    "尚未实现",
    "已杀死",
)
"""Every line that begins something contains one of these."""

_ALL_WORDS = (
    *WORDS,
    # These continue something only, or stand behind a prefix that was found by its own word.
    "Process completed",
    "note",
    "remark",
    ">>> ",
    "from ",
    ": here",
    "附注",
    "备注",
    "注意",
    "参考",
    "多重定义",
)


def _could_mean(text: str) -> bool:
    # A loop: one alternation, tried at every character, takes ten times as long.
    for word in _ALL_WORDS:  # noqa: SIM110
        if word in text:
            return True
    return False


def recognise(text: str) -> Mark | None:
    """Return what a clean line means by the first dialect that knows it, None for plain text."""
    if not _could_mean(text):
        return None
    # Patterns begin with words; long indentation would make some of them slow.
    words = text.lstrip()
    for dialect in _DIALECTS:
        mark = dialect(words)
        if mark is not None:
            return mark
    return None
