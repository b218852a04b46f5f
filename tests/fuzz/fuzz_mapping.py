"""custom_hipify_mappings.json: any bytes are a mapping or an error that says what to do."""

from __future__ import annotations

import json

from harness import instrumented, main, scratch

with instrumented():
    from fastpt_lab.core.errors import ConfigError
    from fastpt_lab.transcode.custom import FILE_NAME, load_custom
    from fastpt_lab.transcode.draft import Rules
    from fastpt_lab.transcode.engine import transcode_text
    from fastpt_lab.transcode.mapping import Tables

FOLDER = scratch("mapping")
TABLES = Tables(
    words={"cudaFree": "hipFree"},
    qualified={},
    headers={},
    angle_headers={},
    header_folders={},
    version="2.0.0",
    source="fuzz",
)
RULES = Rules(tables=TABLES)
TEXT = '#include "k.h"\nvoid f() { cudaFree(0); own_name<<<1, 2>>>(a.b, x::y, "s", 1.f); }\n'


def one(data: bytes) -> None:
    (FOLDER / FILE_NAME).write_bytes(data)
    try:
        custom = load_custom([FOLDER])
    except ConfigError:
        return
    names = custom.for_file("csrc/k.cu")
    result = transcode_text(TEXT + " ".join(names), RULES, custom=names)
    table = result.source_map
    for segment in table.segments:
        if segment.original_length:
            assert table.to_generated(segment.original) == segment.generated
    custom.unused(names)


def starts() -> list[bytes]:
    values: list[object] = [
        {"custom_map": {"own_name": "hip_name", "a.b": "c", "x::y": "z"}},
        {"custom_map": {"k.h": {"to": "k_hip.h", "scope": ["csrc/*"], "comment": "why"}}},
        {"custom_map": {"[(*+?": "x", "\\": "y", "a\nb": "c"}},
        [],
    ]
    return [json.dumps(value).encode() for value in values] + [b"[" * 5000]


if __name__ == "__main__":
    main("mapping", one, starts())
