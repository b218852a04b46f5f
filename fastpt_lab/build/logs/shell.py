"""The shell, the kernel and whatever else prints `error:` without a place."""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Mark, Role, tool_name
from fastpt_lab.build.logs.severities import SEVERITIES
from fastpt_lab.core.diagnostic import Severity

_NOT_FOUND = re.compile(
    r"\s*(?:/\S*/)?(?:ba|da|z|k|a)?sh: (?:(?:line )?\d+: |第 ?\d+ ?行[:：] ?)?"
    r"(?P<message>\S.*?[:：] ?(?:(?:command )?not found|未找到命令|未找到|No such file or directory|没有那个文件或目录"
    r"|Permission denied|权限不够|cannot execute.*|Argument list too long))\s*$"
    r"|\s*(?:\S+[:：] (?:line |行 ?)\d+[:：] )(?P<script>\S+[:：] ?(?:command not found|未找到命令))\s*$"
    r"|\s*(?P<env>/usr/bin/env: .*(?:No such file or directory|没有那个文件或目录).*)$"
)
_KILLED = re.compile(
    r"\s*(?P<message>(?:\S+[:：] line \d+[:：]\s+\d+ )?(?:Killed|已杀死|Segmentation fault|Bus error|Illegal instruction"
    r"|Aborted|段错误)(?:\s+\(core dumped\)|\s{2,}\S.*|（核心已转储）)?)\s*$"
)
_FULL = re.compile(
    r"\s*(?P<message>.*(?:No space left on device|设备上没有空间|virtual memory exhausted).*|out of memory.*)$"
)
_RUNNER = re.compile(
    r"\s*(?P<message>Process completed with exit code [1-9]\d*\.?|The command .* returned a non-zero code: .*)$"
)
_GENERIC = re.compile(
    r"\s*(?P<tools>(?:[\w.+/\\-]+: )*)(?:##\[error\])?(?P<severity>(?:fatal )?error|Error|ERROR|Fatal error|错误|致命错误"
    r"|warning|Warning|WARNING|警告)\s?[:：]\s?(?P<message>\S.*)$"
)


def recognise(text: str) -> Mark | None:
    """Return what a line of the shell or an unknown tool means, None for any other line."""
    if match := _NOT_FOUND.match(text):
        words = match["message"] or match["script"] or match["env"]
        return Mark(role=Role.MESSAGE, source="shell", message=words, code="build-config")
    if match := _KILLED.match(text) or _RUNNER.match(text):
        return Mark(role=Role.MESSAGE, source="shell", message=match["message"].strip())
    if match := _FULL.match(text):
        return Mark(
            role=Role.MESSAGE,
            source="shell",
            message=match["message"].strip(),
            code="resource-limit",
        )
    return generic(text)


def generic(text: str) -> Mark | None:
    """Return the mark of `tool: error: message` of a tool that no dialect knows."""
    match = _GENERIC.match(text)
    if match is None:
        return None
    tools = [tool for tool in match["tools"].split(": ") if tool]
    severity = SEVERITIES.get(match["severity"], Severity.ERROR)
    return Mark(
        role=Role.MESSAGE,
        source=tool_name(tools[0]) if tools else "unknown",
        message=match["message"].strip(),
        severity=severity,
    )
