"""The scanner: the tokens of any text give it back, and directives and groups are in order."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from harness import HERE, instrumented, main

with instrumented():
    from fastpt_lab.core.guard import cuda_view, hip_view
    from fastpt_lab.core.scan import (
        call_arguments,
        conditional_groups,
        directives,
        enclosing_directive,
        tokens,
    )
    from fastpt_lab.host.files import decode_source


def one(data: bytes) -> None:
    if b"\0" in data or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return
    document, bom = decode_source(data, Path("a.cu"))
    text = document.text
    assert bom + text.encode(document.encoding) == data
    every = tokens(text)
    assert "".join(text[t.start : t.end] for t in every) == text
    assert all(a.end == b.start for a, b in pairwise(every))
    found = directives(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    for directive in found:
        assert directive.start <= directive.argument_start <= directive.argument_end
        assert directive.argument_end <= directive.end <= len(text)
        assert enclosing_directive(text, directive.start) == directive
    for group in conditional_groups(text):
        assert all(b.body_start <= b.body_end for b in group.branches)
    for at in [i for i, c in enumerate(text) if c in "([{"][:20]:
        arguments = call_arguments(text, at)
        assert arguments is None or at < arguments.close < len(text)
    assert cuda_view(cuda_view(text)) == cuda_view(text)
    hip_view(text)


def starts() -> list[bytes]:
    cases = HERE.parent / "fixtures"
    return [path.read_bytes() for path in sorted(cases.rglob("*.cu"))[:150]]


if __name__ == "__main__":
    main("scan", one, starts())
