"""pip, setuptools and distutils, which print `error:` without their names.

*Source*: pip 23, setuptools 68 to 80.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Mark, Role

_PIP = re.compile(
    r"\s*(?:error|ERROR): (?P<message>(?:subprocess-exited-with-error|metadata-generation-failed|legacy-install-failure"
    r"|externally-managed-environment|Failed building|Failed to build|Could not build wheels"
    r"|Could not find a version that satisfies|No matching distribution|Could not install packages"
    r"|Command errored out|Cannot install|ResolutionImpossible|Package .* requires a different Python"
    r"|Could not open requirements file|Directory .* is not installable|Exception:|Invalid requirement"
    r"|.* is not a (?:supported wheel|valid)).*)$"
)
_SETUPTOOLS = re.compile(
    r"\s*error: (?P<message>(?:[Cc]ommand |can't copy |invalid command |package directory |\[Errno \d+\]"
    r"|Setup script exited|option |no commands supplied|unknown file type|don't know how to compile"
    r"|Unable to find|Error compiling objects|Microsoft Visual C\+\+|could not create|could not delete"
    r"|file '.*' does not exist|Multiple top-level).*)$"
)


def recognise(text: str) -> Mark | None:
    """Return what a line of pip or setuptools means, None for any other line."""
    if not text.startswith(("error: ", "ERROR: ")):
        return None
    for pattern, source in ((_PIP, "pip"), (_SETUPTOOLS, "setuptools")):
        if match := pattern.match(text):
            return Mark(role=Role.MESSAGE, source=source, message=match["message"].strip())
    return None
