"""The words of compilers for a severity, in English and Chinese."""

from __future__ import annotations

from fastpt_lab.core.diagnostic import Severity

SEVERITIES = {
    "error": Severity.ERROR,
    "Error": Severity.ERROR,
    "ERROR": Severity.ERROR,
    "fatal error": Severity.ERROR,
    "Fatal error": Severity.ERROR,
    "internal compiler error": Severity.ERROR,
    "sorry, unimplemented": Severity.ERROR,
    "catastrophic error": Severity.ERROR,
    "internal error": Severity.ERROR,
    "command-line error": Severity.ERROR,
    "fatal": Severity.ERROR,
    "错误": Severity.ERROR,
    "致命错误": Severity.ERROR,
    "编译器内部错误": Severity.ERROR,
    "对不起，尚未实现": Severity.ERROR,
    "warning": Severity.WARNING,
    "Warning": Severity.WARNING,
    "WARNING": Severity.WARNING,
    "警告": Severity.WARNING,
    "remark": Severity.INFORMATION,
    "note": Severity.HINT,
    "附注": Severity.HINT,
    "备注": Severity.HINT,
    "注意": Severity.HINT,
}
"""The words of compilers for a severity; HINT stands for a note.

*Source*: clang 15, nvcc 13, binutils 2.40, gcc 12 (zh_CN catalogue).
"""
