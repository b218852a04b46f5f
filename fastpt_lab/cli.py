"""The command line: parse words, call the session, print the result."""

from __future__ import annotations

import os
import sys

from fastpt_lab.commands.quick import unchanged
from fastpt_lab.core.errors import FastptError

# Not from typing, which takes longer to load than a transcode that has nothing to do.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

CANCELLED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (docs/contract.md)."""
    words = sys.argv[1:] if argv is None else list(argv)
    quick = unchanged(words)
    if quick is not None:
        print(quick)
        return 0
    return _run(words)


def _run(words: Sequence[str]) -> int:
    import json

    from fastpt_lab.commands.execute import Sessions, execute
    from fastpt_lab.commands.grammar import Grammar, HelpWanted
    from fastpt_lab.commands.progress import TerminalProgress
    from fastpt_lab.show.text import Style

    _keep_unprintable_names()
    try:
        namespace = Grammar().parse(words)
    except HelpWanted as wanted:
        print(wanted.text, end="")
        return 0
    except FastptError as error:
        return _fail(error)
    try:
        sessions = Sessions(listener=None if namespace.quiet else TerminalProgress())
        outcome = execute(sessions, namespace)
        if namespace.json:
            print(json.dumps(outcome.to_json(), ensure_ascii=False, indent=1))
        else:
            text = outcome.render_text(Style(colour=_colour(sys.stdout)))
            if text:
                print(text)
    except FastptError as error:
        return _fail(error)
    except KeyboardInterrupt:
        from fastpt_lab.show.language import say

        cancelled = say("cancelled; what was already written stays")
        print(f"fastpt-lab: {cancelled}", file=sys.stderr)
        return CANCELLED
    except BrokenPipeError:
        # The reader of a pipe has left: `fastpt-lab check | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return outcome.exit_code


def _fail(error: FastptError) -> int:
    from fastpt_lab.show.language import say
    from fastpt_lab.show.text import printable

    print(f"fastpt-lab: {printable(say(error.message))}", file=sys.stderr)
    if error.next_step:
        print(f"  {printable(say(error.next_step))}", file=sys.stderr)
    if error.details:
        print(printable(error.details), file=sys.stderr)
    return error.exit_code


def _colour(stream: Any) -> bool:  # noqa: ANN401 - a text stream
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _keep_unprintable_names() -> None:
    """Let a file name that the terminal cannot show come out as escapes, not as a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
