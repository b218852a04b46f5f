"""Guards: wherever one is put, a CUDA compiler sees the same program, or it is refused."""

from __future__ import annotations

import re

from harness import HERE, instrumented, main

with instrumented():
    from fastpt_lab.core.code import code_around
    from fastpt_lab.core.guard import cuda_view
    from fastpt_lab.core.guard_place import Replacement, insert_under_hip, place
    from fastpt_lab.core.statement import Statements
    from fastpt_lab.core.text import Document
    from fastpt_lab.host.process import decode_output


def one(data: bytes) -> None:
    pick, text = (data[0] if data else 0), decode_output(data[1:])
    words = list(re.finditer(r"\w+|[^\w\s]", text))
    chosen = words[pick % max(len(words), 1) :: max(len(words) // 4, 1)][:4]
    document = Document(text)
    edits = place(document, [Replacement(m.start(), m.end(), "hip_word") for m in chosen])
    if edits is not None:
        assert cuda_view(document.apply(edits).text) == cuda_view(text)
    for match in chosen:
        code = code_around(text, match.start())
        span = (code.first_at(match.start()), code.before(match.end()))
        for statement, block in Statements(code).chain(*span):
            assert block.first <= statement.first < statement.end <= block.end
        insert_under_hip(document, match.start(), "int hip;\n")


def starts() -> list[bytes]:
    cases = sorted((HERE.parent / "fixtures").rglob("*.cu"))
    return [b"\x05" + path.read_bytes() for path in cases[:150]]


if __name__ == "__main__":
    main("statement", one, starts())
