"""The transcoder of one text: it ends, and its map leads from each kept character and back."""

from __future__ import annotations

from pathlib import Path

from harness import HERE, instrumented, main

with instrumented():
    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.core.text import Document
    from fastpt_lab.host.process import decode_output
    from fastpt_lab.transcode.draft import Rules
    from fastpt_lab.transcode.engine import transcode_text
    from fastpt_lab.transcode.mapping import Tables

TABLES = Tables(
    words={
        "cudaMalloc": "hipMalloc",
        "cudaFree": "hipFree",
        "cudaStream_t": "hipStream_t",
        "cublasGemmEx": "hipblasGemmEx",
        "CUDA_VERSION": "TORCH_HIP_VERSION",
        "USE_CUDA": "USE_ROCM",
        "__nv_bfloat16": "__hip_bfloat16",
    },
    qualified={"cub::BlockReduce": "hipcub::BlockReduce", "thrust::cuda": "thrust::hip"},
    headers={"cuda_runtime.h": "hip/hip_runtime.h", "cuda_bf16.h": "hip/hip_bf16.h"},
    angle_headers={"nccl.h": "rccl/rccl.h"},
    header_folders={"thrust/system/cuda": "thrust/system/hip"},
    version="2.0.0",
    source="fuzz",
)
RULES = Rules(tables=TABLES)
SUFFIXES = (".cu", ".cuh", ".h", ".cpp")


def one(data: bytes) -> None:
    suffix = SUFFIXES[data[0] % len(SUFFIXES)] if data else ".cu"
    text = decode_output(data[1:])
    result = transcode_text(text, RULES, suffix=suffix, custom={"own_name": "hip_name"})
    table = result.source_map
    at = shift = 0
    for segment in table.segments:
        assert at <= segment.original
        for offset in {at, segment.original - 1} if at < segment.original else ():
            there = table.to_generated(offset)
            assert there == offset + shift
            assert result.text[there] == text[offset]
            assert table.to_original(there) == offset
        at = segment.original + segment.original_length
        shift = segment.generated + segment.generated_length - at
    assert result.text[at + shift :] == text[at:]
    before, after = Document(text), Document(result.text)
    for note in result.notes:
        assert note.range.start <= note.range.end
        assert before.offset(note.range.end) <= len(text)
    origin = Origin(Path("a.cu"), before, after, table)
    for line in range(min(after.line_count, 50)):
        found = origin.locate(after.line_range(line))
        assert found is None or before.offset(found.range.end) <= len(text)


def starts() -> list[bytes]:
    cases = HERE.parent / "fixtures"
    return [b"\0" + path.read_bytes() for path in sorted(cases.rglob("*.cu"))[:150]]


if __name__ == "__main__":
    main("transcode", one, starts())
