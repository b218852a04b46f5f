"""Bytes of a log to clean lines: terminal escapes, CI prefixes and progress bars taken away."""

from __future__ import annotations

import re

MAX_LINE = 64 * 1024
"""Bytes kept of one line; a longer one is cut, its beginning is what tools put first."""

_HEAD, _TAIL = 6000, 2000

_ESCAPE = re.compile(
    # A log that went through a web page keeps colours without, or with a spelled, escape byte.
    r"(?:\x1b|\^\[|\u241b)?\[(?:\d{1,3};)*\d{1,3}[mK]"
    r"|(?:\^\[|\u241b)\[[mK]"
    r"|\x1b(?:"
    r"\[[0-9;:?<=>]*[ -/]*[@-~]"  # CSI: colours, cursor, erase (ECMA-48)
    r"|[\]_P^][^\x07\x1b]*(?:\x07|\x1b\\)?"  # OSC, APC, DCS, PM: titles, links, CI time marks
    r"|[ -/]*[0-~]"  # two-character escapes and character sets
    r")|[\x00\x08\x0e\x0f\x1b]"
)

_BARE_COLOUR = re.compile(r"\[[\d;]*[mK]")

_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_PREFIX = re.compile(
    "|".join(
        (
            # A CI server's time of day: Jenkins, GitHub, GitLab (with its stream mark), Azure.
            rf"\[{_STAMP}\] ?",
            rf"{_STAMP} (?:[0-9a-f]{{2}}[OE][ +])?",
            r"\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?:? ",
            # `gh run view --log`: job, step, time.
            rf"[^\t\n]{{1,120}}\t[^\t\n]{{1,120}}\t\ufeff?(?={_STAMP})",
            # BuildKit: step number and seconds.
            r"#\d+ \d+\.\d+ ",
            # Workflow commands of GitHub and Azure in front of an echoed line.
            r"##\[(?:error|warning|debug|section|command)\]",
            # Container logs: name, stars up to the bar.
            r"[A-Za-z][\w.-]{0,40} +\| ",
            # BuildKit repeats the end of a failed step with the seconds alone.
            r"\d{1,5}\.\d{2,3} (?=\s*\S)",
            # A launcher's rank: torchrun, Open MPI, srun --label.
            r"\[(?:rank|default)\d+\]:\s?",
            r"\[\d+,\d+\]<std(?:err|out)>:\s?",
            # pip and uv frame the output of a build backend.
            r"\s{0,8}[│┃╎] ",
            r"\s{0,8}\[std(?:err|out)\] ?",
            # pytest in front of an exception.
            r"E {3,7}(?=\S)",
            r"\ufeff",
        )
    )
)


def decode(line: bytes) -> str:
    """Return the text of a line: UTF-8, else GB18030 (a Chinese locale), else with U+FFFD."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return line.decode("gb18030")
    except UnicodeDecodeError:
        return line.decode("utf-8", errors="replace")


def strip_escapes(text: str) -> str:
    """Return `text` without terminal escapes and other invisible control characters."""
    if not text.isprintable() or _BARE_COLOUR.search(text):
        return _ESCAPE.sub("", text)
    return text


def strip_prefix(text: str) -> str:
    """Return `text` without what CI servers, containers and launchers put in front of it.

    Indentation is kept: it tells a snippet from a message.
    """
    for _ in range(4):
        match = _PREFIX.match(text)
        if match is None:
            return text
        text = text[match.end() :]
    return text


def clean(line: bytes) -> str:
    """Return the text of one line as the tool wrote it."""
    text = strip_prefix(strip_escapes(decode(line)).rstrip())
    if len(text) > _HEAD + _TAIL:
        # A command line that failed says so behind its arguments.
        return f"{text[:_HEAD]} … {text[-_TAIL:]}"
    return text
