"""The defects of torch's hipify: each is shown on torch's own engine, and absent from this one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from needs import need_torch

from fastpt_lab.core.errors import FastptError, LimitError
from fastpt_lab.host.project import Project
from fastpt_lab.transcode.result import TranscodeOptions, TranscodeResult
from fastpt_lab.transcode.run import transcode

pytestmark = pytest.mark.torch


def make(root: Path, **files: str | bytes) -> Project:
    for name, content in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Project(root)


def ours(project: Project) -> TranscodeResult:
    return transcode(project, (), TranscodeOptions())


def torchs(project: Project, out: Path, **options: float) -> TranscodeResult:
    settings = {"timeout": 60.0, **options}
    return transcode(project, (), TranscodeOptions(engine="torch", out=out, **settings))  # type: ignore[arg-type]


def body(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    return "".join(
        line for line in lines if not line.startswith(("// !!!", "// transcoded", "#include"))
    )


KERNEL = "__global__ void k(int* x) {}\n"


@need_torch
@pytest.mark.parametrize("arguments", ["k<N, (N>2)><<<g,b>>>(x)", "k<(N>>2)><<<g,b>>>(x)"])
def test_1_a_comparison_in_template_arguments(tmp_path: Path, arguments: str) -> None:
    project = make(tmp_path / "p", a_dot_cu=f"void f() {{ {arguments}; }}\n")
    with pytest.raises(FastptError, match="TypeError"):
        torchs(project, tmp_path / "t")
    assert arguments in body(ours(project).files[0].generated)


@need_torch
def test_2_a_launch_that_is_never_closed(tmp_path: Path) -> None:
    source = 'int a = 1;\n#ifdef NEVER\nb <<< "x"\n#endif\n'
    project = make(tmp_path / "p", a_dot_cu=source)
    with pytest.raises(LimitError):
        torchs(project, tmp_path / "t", timeout=4.0, memory=1 << 30)
    assert body(ours(project).files[0].generated) == source


LAUNCHES = {
    3: "ns::kern<A<B<int>>><<<g,b>>>(x);",
    4: "LAUNCH(k<<<g,b>>>(z));",
    5: "if(x)k<<<g,b>>>(z);",
    6: "k<<<g, {32,1,1}>>>(z);",
    7: "k<<<g, N < 3 ? 1 : 2>>>(z);",
    8: "k<<<g, // grid, block\n b>>>(z);",
    9: "kernels[i]<<<g,b>>>(z);",
}
TORCH_GIVES = {
    3: r"A<B<int, 0, 0",
    4: r"\(\(\s*LAUNCH\(k\)",
    5: r"\(\(\s*if\(x\)k\)",
    6: r"dim3\(\{32\)",
    7: r"dim3\(N < 3 \? 1 : 2\), 0, 0, 0, z|0, 0, 0",
    8: r"dim3\(// grid\)",
    9: r"kernelshipLaunchKernelGGL",
}


@need_torch
@pytest.mark.parametrize("number", sorted(LAUNCHES))
def test_3_to_9_launches_that_a_text_search_corrupts(tmp_path: Path, number: int) -> None:
    source = "void f() {\n" + LAUNCHES[number] + "\n}\n"
    project = make(tmp_path / "p", a_dot_cu=source)
    (theirs,) = torchs(project, tmp_path / "t").files
    assert re.search(TORCH_GIVES[number], theirs.generated.read_text("utf-8"))
    # clang takes every one but the braces, which a dim3 in front makes it take.
    expected = source.replace("{32,1,1}", "dim3(32,1,1)")
    assert body(ours(project).files[0].generated) == expected


@need_torch
def test_10_code_after_a_raw_string_with_a_quote(tmp_path: Path) -> None:
    source = 'const char* s = R"( " )";\nvoid f() { cudaFree(0); k<<<1, 2>>>(z); }\n'
    project = make(tmp_path / "p", a_dot_cu=source)
    (theirs,) = torchs(project, tmp_path / "t").files
    assert "k<<<1, 2>>>" in theirs.generated.read_text("utf-8"), "the launch was skipped"
    assert "hipFree(0)" in body(ours(project).files[0].generated)


@need_torch
def test_11_a_launch_repeated_in_a_comment(tmp_path: Path) -> None:
    source = "void f() {\n// k<<<1, 2>>>(z)\n k<<<1, 2>>>(z);\n}\n"
    project = make(tmp_path / "p", a_dot_cu=source)
    (theirs,) = torchs(project, tmp_path / "t").files
    assert "// k<<<1, 2>>>(z)" not in theirs.generated.read_text("utf-8")
    assert body(ours(project).files[0].generated) == source


@need_torch
def test_12_std_max_in_host_code(tmp_path: Path) -> None:
    source = KERNEL + "int f(int a) { return std::max(a, 1) + mystd::max(a, 2); }\n"
    project = make(tmp_path / "p", a_dot_cu=source)
    (theirs,) = torchs(project, tmp_path / "t").files
    assert "my::max(a, 2)" in theirs.generated.read_text("utf-8")
    assert body(ours(project).files[0].generated) == source


@need_torch
def test_13_strings_and_comments(tmp_path: Path) -> None:
    source = 'const char* s = "cudaMalloc failed"; // cudaMalloc\nvoid f() { cudaFree(0); }\n'
    project = make(tmp_path / "p", a_dot_cu=source)
    (theirs,) = torchs(project, tmp_path / "t").files
    assert '"hipMalloc failed"; // hipMalloc' in theirs.generated.read_text("utf-8")
    assert body(ours(project).files[0].generated) == source.replace("cudaFree", "hipFree")


@need_torch
def test_14_gbk(tmp_path: Path) -> None:
    data = "// 中文注释\nvoid f() { cudaFree(0); }\n".encode("gb18030")
    project = make(tmp_path / "p", a_dot_cu=data)
    with pytest.raises(FastptError, match="UnicodeDecodeError"):
        torchs(project, tmp_path / "t")
    (file,) = ours(project).files
    assert data.replace(b"cudaFree", b"hipFree") in file.generated.read_bytes()


@need_torch
def test_15_crlf(tmp_path: Path) -> None:
    data = b"void f() {\r\n cudaFree(0);\r\n}\r\n"
    project = make(tmp_path / "p", a_dot_cu=data)
    (theirs,) = torchs(project, tmp_path / "t").files
    assert b"\r\n" not in theirs.generated.read_bytes()
    written = ours(project).files[0].generated.read_bytes()
    assert written.count(b"\n") == written.count(b"\r\n") > 3


@need_torch
def test_16_hand_written_targets(tmp_path: Path) -> None:
    project = make(tmp_path / "p", a_dot_cu=KERNEL, a_dot_hip="// mine\n")
    result = ours(project)
    assert [file.status for file in result.files] == ["refused"]
    assert "a.hip" in result.files[0].why
    assert "a.cu" in result.files[0].why
    assert (project.root / "a.hip").read_text() == "// mine\n"


@need_torch
def test_16_two_originals_of_one_output(tmp_path: Path) -> None:
    project = make(tmp_path / "p", a_cuda_dot_cu=KERNEL, a_hip_dot_cu=KERNEL)
    result = ours(project)
    assert {file.status for file in result.files} == {"refused"}
    assert not (project.root / "a_hip.hip").exists()


@need_torch
def test_17_outputs_of_originals_that_are_gone(tmp_path: Path) -> None:
    project = make(tmp_path / "p", a_dot_cu=KERNEL, b_dot_cu=KERNEL)
    ours(project)
    (project.root / "b.cu").unlink()
    assert ours(project).removed == (project.root / "b.hip",)
    assert not (project.root / "b.hip").exists()


@need_torch
def test_18_the_order_is_the_same_in_every_run(tmp_path: Path) -> None:
    names = {f"k{i}_dot_cu": KERNEL for i in range(20)}
    project = make(tmp_path / "p", **names)
    files = [file.original for file in ours(project).files]
    assert files == sorted(files)
