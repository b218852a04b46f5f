"""Write calls that HIP does not have as expressions that it has, nested calls included."""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.scan import code_tokens, enclosing_directive
from fastpt_lab.rules.kit.batch import Judged, offers
from fastpt_lab.rules.kit.calls import Call, calls_of
from fastpt_lab.rules.kit.places import named_place, undeclared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_BEFORE_CALL = frozenset(
    {"return", "else", "do", "case", "throw", "co_return", "co_yield", "not", "and", "or"}
)
"""Words behind which a name in front of `(` is called; other words are its type."""

_SIMPLE = re.compile(r"[\w.]+(?:\[[\w.]*\])?\Z")


class Form(NamedTuple):
    """A HIP expression, doubts about it (none if it is shown to be the same), and the proof."""

    text: str
    doubts: tuple[str, ...]
    proof: str


FormOf = "Callable[[Call, tuple[str, ...]], Form | None]"


def operand(text: str) -> str:
    """Return an expression in parentheses, unless it needs none anywhere."""
    return text if _SIMPLE.match(text) else f"({text})"


def rewritten(
    diagnostic: Diagnostic,
    workspace: Workspace,
    stack: Stack,
    forms: Mapping[str, Callable[[Call, tuple[str, ...]], Form | None]],
    every: str,
) -> Iterator[Proposal]:
    """Yield the HIP form of the function that the compiler does not know.

    `forms` gives each function's form from the call and its arguments, nested calls already
    rewritten; `every` names the change of all of them, as in "Replace … under HIP".
    """
    name = undeclared(diagnostic)
    if name is None or name not in forms or stack.has(name):
        return
    place = named_place(diagnostic, workspace, forms)
    if place is not None:
        judged = judged_calls(place.path, place.document, forms)
        title = f"Replace {place.word} under HIP"
        yield from offers(title, every, place, judged, stack)


def judged_calls(
    path: Path,
    document: Document,
    forms: Mapping[str, Callable[[Call, tuple[str, ...]], Form | None]],
) -> tuple[Judged, ...]:
    """Return every call of a file in its HIP form."""
    text = document.text
    tokens = code_tokens(text)
    starts = [token.start for token in tokens]
    done: dict[int, tuple[int, Form]] = {}
    judged: list[Judged] = []
    # Inner calls begin later than those around them.
    for call in sorted(calls_of(path, document, forms), key=lambda c: -c.name.start):
        at = bisect.bisect_left(starts, call.name.start)
        # The last word of a directive, or the name that it defines, is no type.
        if at and _is_another(
            text[tokens[at - 1].start : tokens[at - 1].end],
            directive=enclosing_directive(text, tokens[at - 1].start) is not None,
        ):
            continue
        inner = {at: one for at, one in done.items() if call.open < at < call.close}
        arguments = tuple(_rendered(text, start, end, inner) for start, end in call.arguments)
        form = forms[call.name.word](call, arguments)
        if form is None:
            continue
        doubts = (*form.doubts, *(d for _, one in inner.values() for d in one.doubts))
        form = form._replace(doubts=tuple(dict.fromkeys(doubts)))
        done[call.name.start] = call.close + 1, form
        judged.append(_judged(call, form))
    return tuple(reversed(judged))


def _is_another(before: str, *, directive: bool) -> bool:
    """Whether the word in front makes of a call a member's, a namespace's or a declaration."""
    if before in {"::", ".", "->"}:
        return True
    return before.isidentifier() and before not in _BEFORE_CALL and not directive


def _judged(call: Call, form: Form) -> Judged:
    return Judged(
        call=call,
        replacements=(Replacement(call.name.start, call.close + 1, form.text),),
        applicability=Applicability.UNSAFE if form.doubts else Applicability.SAFE,
        reasons=form.doubts or (form.proof,),
    )


def _rendered(text: str, start: int, end: int, inner: Mapping[int, tuple[int, Form]]) -> str:
    parts: list[str] = []
    at = start
    for place in sorted(inner):
        if at <= place < end:
            parts += (text[at:place], inner[place][1].text)
            at = inner[place][0]
    return "".join(parts) + text[at:end]


def fixed_form(
    template: str, count: int, *, doubts: Sequence[str] = (), proof: str = ""
) -> Callable[[Call, tuple[str, ...]], Form | None]:
    """Return the form that puts the arguments into `template`, `{0}` being the first.

    `{0}` is an operand, in parentheses where it needs them; `{a0}` the argument as it stands.
    """

    def form(call: Call, arguments: tuple[str, ...]) -> Form | None:
        if len(call.arguments) != count:
            return None
        operands = [operand(a) for a in arguments]
        whole = {f"a{i}": a for i, a in enumerate(arguments)}
        return Form(template.format(*operands, **whole), tuple(doubts), proof)

    return form
