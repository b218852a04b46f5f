r"""Expressions that step over comments and literals, to find something else in a text quickly.

Each alternative begins with a literal character: Python's `re` then skips to the next such
character, which makes one pass over a source about as fast as reading it. The prefix of a
literal is left before it, where it is a name like any other.
"""

from __future__ import annotations

import re

_NL = r"(?:\r\n?|\n)"
CONTINUATION = rf"\\[ \t\f\v]*{_NL}"
"""A backslash that joins the next line to its own."""

_ESCAPE = rf"\\(?:[ \t\f\v]*{_NL}|(?s:.))?"
_RAW_BEFORE = "|".join(rf'(?<=\b{prefix}R")' for prefix in ("", "L", "u", "U", "u8"))

COMMENT = rf"/(?:/[^\\\r\n]*(?:\\(?:[ \t\f\v]*{_NL})?[^\\\r\n]*)*|\*(?s:.*?)\*/|\*(?s:.*))"
_STRING = (
    rf'"(?:(?:{_RAW_BEFORE})(?P<delimiter>[^()\\\s"]{{0,16}})'
    r'\((?:(?s:.*?)\)(?P=delimiter)"|(?s:.*))'
    rf'|[^"\\\r\n]*(?:{_ESCAPE}[^"\\\r\n]*)*"?)'
)
_CHARACTER = rf"'[^'\\\r\n]*(?:{_ESCAPE}[^'\\\r\n]*)*'?"

NOT_INSIDE = r"(?<![\w$].)"
"""After a first character: it does not continue a name or a number."""

# A number may hold apostrophes, which begin no literal.
_NUMBER = "|".join(
    rf"{digit}{NOT_INSIDE}(?:[eEpP][+-]|'[0-9A-Za-z_]|[\w.])*" for digit in "0123456789"
)

LITERAL = f"{_STRING}|{_CHARACTER}|{_NUMBER}"
"""A string, raw or not, a character or a number; it may set the group `delimiter`."""

SKIP = f"{COMMENT}|{LITERAL}"

SKIP_BUT_NUMBERS = f"{COMMENT}|{_STRING}|{_CHARACTER}"
"""Enough for a text in which no apostrophe stands in a number (`DIGIT_SEPARATOR`).

Half of all that is stepped over are numbers.
"""

DIGIT_SEPARATOR = re.compile(r"'(?<=[0-9a-fA-F]')[0-9a-fA-F]")
"""What every apostrophe within a number looks like (C++17 [lex.icon])."""
