"""Ask every dialect about one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.build.logs import (
    clang,
    cmake,
    device,
    gcc,
    linker,
    loader,
    make,
    ninja,
    nvcc,
    python,
    shell,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastpt_lab.build.logs.mark import Mark

_DIALECTS: tuple[Callable[[str], Mark | None], ...] = (
    # Whole-line shapes first; words that may stand anywhere in a line, and `tool: error:`, last.
    ninja.recognise,
    cmake.recognise,
    make.recognise,
    linker.recognise,
    gcc.recognise,
    clang.recognise,
    nvcc.recognise,
    python.recognise,
    loader.recognise,
    device.recognise,
    shell.recognise,
)

WORDS: tuple[str, ...] = (
    "rror",
    "ERROR",
    "fatal",
    "arning",
    "FAILED",
    "*** ",
    "ndefined",
    "ultiple def",
    "annot ",
    "ot found",
    "No such file",
    "No space left",
    "egistered",
    "TORCH_LIBRARY",
    "NOT loaded",
    "kfd",
    "fault",
    "kernel file",
    "kernel image",
    "device function",
    "GPUs are",
    "Killed",
    "dumped",
    "what():",
    "relocation",
    "Died at",
    "failed to execute",
    "returned ",
    "did not complete",
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
    "没有",
    "目录",
    "在包含",
    "尚未实现",
    "已杀死",
)
"""Every line that begins something contains one of these."""

_NOTE = re.compile(
    "|".join(
        re.escape(word)
        for word in (
            *WORDS,
            "note",
            "remark",
            "附注",
            "备注",
            "注意",
            ">>> ",
            "from ",
            "here",
            "参考",
            "多重定义",
            "required ",
            "CMake",
        )
    )
)


def recognise(text: str) -> Mark | None:
    """Return what a clean line means by the first dialect that knows it, None for plain text."""
    if not _NOTE.search(text):
        return None
    for dialect in _DIALECTS:
        mark = dialect(text)
        if mark is not None:
            return mark
    return None
