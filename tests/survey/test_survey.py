"""A survey of whole projects: counts, places, encodings, progress, and nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fastpt_lab.core.errors import CancelledError
from fastpt_lab.core.survey import Effort, Survey
from fastpt_lab.core.text import digest_of
from fastpt_lab.host.process import Cancel
from fastpt_lab.host.project import Project
from fastpt_lab.show.survey import survey_html, survey_text
from fastpt_lab.show.survey_json import survey_json
from fastpt_lab.survey.survey import survey

EXAMPLE = Path(__file__).parents[2] / "notebooks" / "examples" / "fused_norm"
GBK = "// 归约：每个线程束一个和\n__global__ void k(float* x) { x[0] += __shfl_xor_sync(0xffffffff, x[0], 1); }\n"
CMAKE = """\
cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX CUDA) # enable_language(HIP) comes later
set(CMAKE_CXX_STANDARD 14)
find_package(Torch REQUIRED)
target_link_libraries(demo PRIVATE CUDA::cudart_static ${TORCH_LIBRARIES})
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "归约.cu").write_bytes(GBK.encode("gb18030"))
    (tmp_path / "src" / "host.cpp").write_text(
        "#include <cublas_v2.h>\nint f(cublasHandle_t h) { return cublasDestroy(h); }\n"
        '/* cudaMalloc in a comment */ const char* s = "cudaFree";\n'
    )
    (tmp_path / "src" / "bad.cu").write_bytes(b"\x00\x01\x02")
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    return tmp_path.resolve()


def names(found: Survey, kind: str) -> set[str]:
    return {fact.value for fact in found.build if fact.name == kind}


def test_counts_encodings_and_refusals(folder: Path) -> None:
    found = survey(Project(folder))
    by_name = {file.path.name: file for file in found.files}
    reduce = by_name["归约.cu"]
    assert (reduce.kind, reduce.kernels, reduce.lines) == ("cuda", 1, 2)
    assert reduce.encoding == "gb18030"
    assert reduce.reasons == ("warp shuffles",)
    host = by_name["host.cpp"]
    assert host.automatic == 3, "the header and two names, not the comment or the string"
    assert [path.name for path, _ in found.refused] == ["bad.cu"]
    shuffle = next(f for f in found.features if f.id == "warp-shuffle")
    place = shuffle.places[0]
    assert place.range.start.character == GBK.splitlines()[1].index("__shfl")


def test_build_files_are_read_without_their_comments(folder: Path) -> None:
    found = survey(Project(folder))
    assert names(found, "system") == {"CMake, CUDA", "CMake, torch"}
    assert names(found, "standard") == {"c++14"}
    assert "cudart_static" in names(found, "link")


def test_a_table_of_names_tells_automatic_from_review(folder: Path) -> None:
    table = {"cublasHandle_t": "hipblasHandle_t", "cublasDestroy": "hipblasDestroy"}
    some = survey(Project(folder), names=table)
    assert some.total(Effort.REVIEW) == 1
    del table["cublasDestroy"]
    fewer = survey(Project(folder), names=table)
    assert fewer.total(Effort.REVIEW) == 2
    host = next(f for f in fewer.files if f.path.name == "host.cpp")
    assert host.reasons == ("cublasDestroy, which the tables do not have",)


def test_names_that_the_project_defines_are_not_cudas(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "#define cudaCheck(x) x\nstatic int cudaHelper(int a) { return a; }\n"
        "int g() { return cudaHelper(cudaCheck(cudaGetLastError())); }\n"
    )
    (file,) = survey(Project(tmp_path.resolve())).files
    assert file.unknown == 1


def test_paths_choose_what_is_looked_at_and_build_files_still_count(folder: Path) -> None:
    (folder / "tool.py").write_text("import torch\nX = torch.zeros(1).cuda()\n")
    found = survey(Project(folder), paths=[folder / "src"])
    assert {file.path.name for file in found.files} == {"归约.cu", "host.cpp"}
    assert names(found, "standard") == {"c++14"}
    assert not [lint for lint in found.lints if lint.diagnostic.source == "python"]
    assert [lint for lint in survey(Project(folder)).lints if lint.check == "device-at-import"]


def test_sources_with_a_hip_branch_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#ifdef USE_ROCM\n#endif\nint x;\n")
    (tmp_path / "b.cu").write_text("int y;\n")
    found = survey(Project(tmp_path.resolve()))
    assert found.ported == 1
    assert "1 with a HIP branch already" in survey_text(found)


def test_progress_reaches_the_end_and_cancelling_stops(folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    survey(Project(folder), progress=lambda done, total, path: seen.append((done, total)))
    assert [done for done, _ in seen] == list(range(len(seen)))
    assert seen[-1][0] < seen[-1][1]
    cancel = Cancel()
    with pytest.raises(CancelledError):
        survey(
            Project(folder),
            progress=lambda done, total, path: cancel.set(),
            cancel=cancel,
        )


def test_nothing_is_written(folder: Path) -> None:
    before = {p: digest_of(p.read_bytes()) for p in folder.rglob("*") if p.is_file()}
    survey(Project(folder))
    assert {p: digest_of(p.read_bytes()) for p in folder.rglob("*") if p.is_file()} == before


def test_the_example_is_read_whole() -> None:
    found = survey(Project(EXAMPLE.resolve()))
    assert found.refused == ()
    assert sum(file.kernels for file in found.files) == 8
    assert {"warp-shuffle", "cublas-gemmex"} <= {f.id for f in found.features}
    assert found.entry_points > 0
    certain = [
        lint for lint in found.lints if lint.certain and lint.diagnostic.source != "python"
    ]
    assert certain == []


def test_the_views_hold_every_part_and_escape_it(tmp_path: Path) -> None:
    (tmp_path / "a<b>.cu").write_text(
        '#if CUDA_VERSION >= 9000\n#endif\n#include "cutlass/gemm.h"\n'
        "__global__ void k(int* o) { o[0] = __popc(__ballot_sync(0xffffffff, o[threadIdx.x])); }\n"
    )
    found = survey(Project(tmp_path.resolve()))
    document = survey_json(found)
    assert json.loads(json.dumps(document)) == document
    assert document["route"]["route"] == "transcode"
    assert document["files"][0]["path"] == "a<b>.cu"
    certain = [lint for lint in document["lints"] if lint["certain"]]
    assert certain[0]["location"]["range"]["start"] == {"line": 3, "character": 42}
    html = survey_html(found)
    assert "a<b>" not in html
    assert "a&lt;b&gt;.cu" in html
    text = survey_text(found)
    for words in ("Transcode to HIP", "hytlass", "certain", "CUDA_VERSION", "No equivalent"):
        assert words in text
        assert words in html or words == "No equivalent"
