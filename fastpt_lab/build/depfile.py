"""Read the dependency file that a compiler writes for make; pure."""

from __future__ import annotations

import re

_ESCAPED = re.compile(r"\\([ #\\:])|\$\$")
_SPACES = re.compile(r"(?<!\\)[ \t\n]+")


def parse_depfile(text: str) -> tuple[str, ...]:
    r"""Return the prerequisites of the first rule, in order, as the compiler spelled them.

    Spaces and `#` in a name are escaped by `\`, `$` by `$$` (clang 15, gcc 12).
    """
    joined = text.replace("\r\n", "\n").replace("\\\n", " ")
    # The target ends at the first colon that a space follows: a path may hold others.
    _, colon, rest = joined.partition(": ")
    if not colon:
        return ()
    rule = rest.split("\n", 1)[0]
    words = (word for word in _SPACES.split(rule) if word)
    return tuple(_ESCAPED.sub(lambda m: m[1] or "$", word) for word in words)
