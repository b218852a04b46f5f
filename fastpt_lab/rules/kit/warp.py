"""What can be shown about a warp intrinsic: its mask, its lanes, who else runs it.

CUDA's warp has 32 lanes, a gfx9 wavefront 64, of which each half holds one CUDA warp: the
threads of a block are numbered in both in the same order.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from fastpt_lab.core.code import code_around
from fastpt_lab.core.enclosing import definition_around
from fastpt_lab.core.scan import Kind, enclosing_directive, tokens
from fastpt_lab.core.statement import Span, Statements
from fastpt_lab.core.text import Document
from fastpt_lab.rules.kit.constants import identifiers, integer, named, shadowed
from fastpt_lab.rules.kit.places import documents, live_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.calls import Call

LANES = 32
_ALL = 0xFFFFFFFF
_WAVE_SIZE = re.compile(
    r"(?i)(?:warp|wave(?:front)?)_?(?:size|width|threads|lanes)\w*"
    r"|\w*?(?:warp|wave(?:front)?)_?(?:size|width|threads|lanes)\w*"
    r"|\w*(?:threads|lanes)_?(?:per|in|of)_?(?:a_)?(?:warp|wave)\w*|(?-i:WARP)"
)
_NO_EFFECT = re.compile(
    r"\b(?:unsigned|int|u?int(?:32|64)_t|size_t|__activemask|__ballot(?:_sync)?)\s*\("
)
_SYNC = re.compile(r"\b__\w+_sync\s*\(")


def context_of(call: Call) -> str:
    """Return the text of the function or macro that a call is part of, without comments."""
    text = call.name.document.text
    directive = enclosing_directive(text, call.name.start)
    if directive is not None:
        return _without_comments(text, directive.start, directive.end)
    bounds = definition_around(text, call.name.start, call.close + 1)
    return _without_comments(text, *(bounds or (0, len(text))))


@lru_cache(maxsize=64)
def _without_comments(text: str, start: int, end: int) -> str:
    # A name in a comment declares nothing and changes nothing.
    return "".join(
        " " if token.kind is Kind.COMMENT else text[token.start : token.end]
        for token in tokens(text, start, end)
    )


def constant(
    expression: str, context: str, document: Document, workspace: Workspace
) -> int | None:
    """Return the value of `expression` in a definition that may shadow names."""
    if any(shadowed(name, context) for name in identifiers(expression)):
        return None
    return integer(expression, document, workspace)


def has_effects(mask: str) -> bool:
    """Whether a mask that is dropped would take an assignment or a call with it."""
    if any(sign in mask for sign in ("++", "--", "=")):
        return True
    return re.search(r"[\w>]\s*\(", _NO_EFFECT.sub("", mask)) is not None


def mask_doubt(call: Call, context: str, workspace: Workspace) -> str | None:
    """Return why the mask of a call may not name all 32 lanes, None if it does."""
    mask = call.argument(0)
    if "__activemask" in mask:
        return (
            f"the mask {mask} names the lanes that happen to be active, which CUDA leaves"
            " open where branches diverge"
        )
    value = constant(mask, context, call.name.document, workspace)
    if value is None:
        return f"the mask {mask} is not a constant here; only a full mask may be dropped unseen"
    if value & _ALL != _ALL:
        return (
            f"the mask {mask} names {(value & _ALL).bit_count()} of 32 lanes; HIP's form"
            " takes the lanes that are active and does not wait for the named ones"
        )
    return None


def wave_size_doubt(document: Document, workspace: Workspace) -> str | None:
    """Return why 32-lane and 64-lane code may meet in a file, None if nothing shows it."""
    for name in _wave_sizes(document.text):
        if name == "warpSize":
            return "this file uses warpSize, which is 64 on gfx9: see that both sides agree"
        value = named(name, document, workspace)
        if value != LANES:
            return (
                f"{name} is not known to be 32 under HIP: see that it agrees with the width of 32"
                if value is None
                else f"{name} is {value}, not 32 under HIP: see that it agrees with the width of 32"
            )
    return None


@lru_cache(maxsize=1024)
def _wave_sizes(text: str) -> tuple[str, ...]:
    """Return the names that look like wave sizes and are used as values, `warpSize` first."""
    names = live_names(Document(text))
    if "warpSize" in names:
        return ("warpSize",)
    return tuple(
        name
        for name in sorted(names)
        if _WAVE_SIZE.fullmatch(name)
        # `warp_width(…)` is a function.
        and re.search(rf"\b{re.escape(name)}\b(?!\s*\()", text)
    )


def parameter_doubt(expression: str, context: str, workspace: Workspace) -> str | None:
    """Return why a value that callers choose may be 64-lane, None if no original shows it."""
    names = sorted(_parameters(context) & identifiers(expression))
    if not names:
        return None
    for path, other in documents(workspace, ""):
        doubt = wave_size_doubt(other, workspace)
        if doubt is not None:
            return f"{names[0]} comes from outside, and in {path.name}: {doubt}"
    return None


def _parameters(context: str) -> frozenset[str]:
    """Return the names in the head of a function or macro, its parameters among them."""
    macro = re.match(r"#\s*define\s+\w+\(([^)]*)\)", context)
    return identifiers(macro[1] if macro else context.partition("{")[0])


def divergence_doubt(call: Call) -> str | None:
    """Return why two calls may serve one exchange between lanes, None if nothing shows it."""
    text = call.name.document.text
    if enclosing_directive(text, call.name.start) is not None:
        return None
    code = code_around(text, call.name.start)
    statements = Statements(code)
    here = Span(code.first_at(call.name.start), code.before(call.close + 1))
    chain = statements.chain(*here)
    for statement, _ in chain:
        word = code.words[statement.first]
        if word not in ("if", "switch"):
            continue
        for other in statements.blocks(statement):
            holds = other.first <= here.first and here.end <= other.end
            if not holds and _calls_sync(text, code.starts, code.ends, other):
                return "the other branch of this if also exchanges lanes: branches may pair up"
        if word == "switch":
            return "the call stands in a switch, whose cases may pair up"
    if chain:
        innermost = chain[-1][0]
        words = code.words[innermost.first : innermost.end]
        start, end = code.starts[innermost.first], code.ends[innermost.end - 1]
        if "?" in words and len(_SYNC.findall(text[start:end])) > 1:
            return "both sides of a ?: exchange lanes: they may pair up"
    return None


def _calls_sync(text: str, starts: tuple[int, ...], ends: tuple[int, ...], block: Span) -> bool:
    if block.first >= block.end:
        return False
    return bool(_SYNC.search(text[starts[block.first] : ends[block.end - 1]]))


def lane_bound(call: Call, expression: str, context: str, workspace: Workspace) -> int | None:
    """Return a value that a lane argument never exceeds, None if none is shown.

    A constant bounds itself; a loop variable is bounded by `for (int m = 16; …; m >>= 1)` or
    `for (int d = 1; d < 32; d *= 2)`, if the body leaves it alone.
    """
    document = call.name.document
    value = constant(expression, context, document, workspace)
    if value is not None:
        return value if value >= 0 else None
    if not re.fullmatch(r"[A-Za-z_]\w*", expression) or expression in _parameters(context):
        return None
    # Only if the loop's is the one variable of that name does every mention mean it.
    declared = re.findall(rf"\b\w+[\s*&]+{expression}\s*[=;,(){{]", context)
    if len([d for d in declared if not d.startswith("return")]) != 1:
        return None
    bounds = [
        _loop_bound(header, body, expression, context, document, workspace)
        for header, body in _loops_of(context, call, expression)
    ]
    return bounds[0] if len(bounds) == 1 else None


def _loops_of(context: str, call: Call, name: str) -> Iterator[tuple[str, str]]:
    """Yield header and rest of each `for` in the context that declares `name`."""
    pattern = re.compile(
        rf"\bfor\s*\(\s*(?:unsigned\s+|const\s+)?\w+\s+{name}\s*=(?P<header>[^{{}}]*?)\)"
        r"(?=[\s\\]*(?:\{|[A-Za-z_(*+-]))"
    )
    for match in pattern.finditer(context):
        if match["header"].count(";") == 2:
            yield match["header"], context[match.end() :]


def _loop_bound(
    header: str, rest: str, name: str, context: str, document: Document, workspace: Workspace
) -> int | None:
    start, condition, step = (part.strip() for part in header.split(";"))
    if re.search(
        rf"(?<![\w.])(?:\+\+|--)?{name}\s*(?:[-+*/%&|^]?=(?!=)|<<=|>>=|\+\+|--)", rest
    ):
        return None
    first = constant(start, context, document, workspace)
    if first is None or first < 0:
        return None
    if re.fullmatch(rf"{name}\s*(?:>>=\s*[1-9]|/=\s*[2-9])", step):
        return first
    limit = re.fullmatch(rf"{name}\s*(<=?)\s*(.+)", condition, re.DOTALL)
    if limit is None or not re.fullmatch(rf"{name}\s*(?:<<=\s*[1-9]|\*=\s*[2-9])", step):
        return None
    last = constant(limit[2], context, document, workspace)
    if last is None:
        return None
    return max(first, last if limit[1] == "<=" else last - 1)
