"""Prove the verification on a GPU: the example green, planted faults caught at their rungs.

    python tests/verify/on_device.py FOLDER

Builds the example extension and a library of planted faults with nvcc, climbs, records, and
writes `report.md` and golden files into FOLDER. Exit code 1: something was not as it must be.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.show.checks import checks_text
from fastpt_lab.show.verification import golden_text, ladder_text
from fastpt_lab.verify.golden import compare_golden, record_golden
from fastpt_lab.verify.ladder import LadderSpec, run_ladder
from fastpt_lab.verify.layers import doctor
from fastpt_lab.verify.snapshot import snapshot

EXAMPLE = ROOT / "notebooks" / "examples" / "fused_norm"
LAYER_NORM = """
from fused_norm import functional, reference as plain
op, reference = functional.layer_norm, plain.layer_norm
def inputs(n):
    return 3 * torch.randn(n, 1000) + 1, 1 + 0.2 * torch.randn(1000), torch.randn(1000)
reduction, sizes, real = 1000, (1, 64, 65, 100), 8192
dtypes = ("float32", "float16", "bfloat16", "float64")
"""
MLP = """
from fused_norm import functional, reference as plain
op, reference = functional.mlp, plain.mlp
def inputs(n):
    return (torch.randn(n, 768), torch.randn(1024, 768) / 768**0.5, torch.randn(1024),
            torch.randn(768, 1024) / 1024**0.5, torch.randn(768))
reduction, sizes, real = 1024, (1, 64, 65, 100), 1000
dtypes = ("float32", "float16", "float64")
stored = {"float16": "float16"}
"""
SMALL = LAYER_NORM.replace("1000", "100").replace("real = 100, (1, 64, 65, 100), 8192",
                                                  "real = 100, (1, 64, 65), 100")  # fmt: skip
ROW_SUM = """
import ctypes
lib = ctypes.CDLL({library!r})
lib.row_sum.restype = ctypes.c_char_p
def op(x):
    if x.dtype != torch.float32: raise TypeError("x must be float32")
    if not x.is_contiguous(): raise ValueError("x must be contiguous")
    y = torch.empty(len(x), device=x.device)
    stream = torch.cuda.current_stream().cuda_stream
    wrong = lib.row_sum(ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), len(x),
                        x.shape[1], {mode}, ctypes.c_void_p(stream)) if len(x) or {launch_empty} else None
    if wrong: raise RuntimeError("CUDA error: " + wrong.decode())
    return y
def reference(x): return x.sum(-1)
def inputs(n): return torch.rand(n, 500) + 1
reduction, sizes, real = 500, (64, 65, 100), 1000
"""
PLANTED = (
    ("nothing", 0, False, "", ""),
    ("a reduction over 32 of 64 lanes", 1, False, "op-64", "beyond the tolerance"),
    ("a NaN in row 64", 2, False, "op-65", "1 NaN"),
    ("a write out of bounds at 100 rows", 3, False, "op-100", "illegal memory access"),
    ("a launch without blocks", 0, True, "layout-empty", "CUDA error: invalid"),
    ("a launch on the default stream", 4, False, "second-stream", "NaN"),
)


def build(folder: Path) -> Path:
    """Build the example in a copy, and the planted faults; return the library of these."""
    shutil.copytree(EXAMPLE, folder / "fused_norm")
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    subprocess.run(command, cwd=folder / "fused_norm", check=True, stdout=subprocess.DEVNULL)
    library = folder / "planted.so"
    source = Path(__file__).with_name("planted.cu")
    nvcc = ["nvcc", "-shared", "-Xcompiler", "-fPIC", "-arch=native", str(source)]
    subprocess.run([*nvcc, "-o", str(library)], check=True)
    ctypes.CDLL(str(library))
    return library


class Proof:
    """Collects the report, and whether all was as it must be."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.wrong: list[str] = []

    def show(self, heading: str, text: str) -> None:
        """Add a part of the report."""
        self.lines += [f"## {heading}", "", "```text", text, "```", ""]
        sys.stdout.write(f"== {heading}\n{text}\n")

    def demand(self, right: bool, what: str) -> None:
        """Note what is not as it must be."""
        if not right:
            self.wrong.append(what)
            sys.stdout.write(f"WRONG: {what}\n")


def climb(proof: Proof, project: Path) -> None:
    """Climb with the example's operators; on NVIDIA it must say that this is a CUDA build."""
    for name, definition in (("layer_norm", LAYER_NORM), ("mlp", MLP)):
        spec = LadderSpec(definition=definition, extension="fused_norm._C", path=(project,))
        result = run_ladder(spec)
        proof.show(f"Ladder of {name}", ladder_text(result))
        proof.demand(result.status is CheckStatus.OK, f"ladder of {name}")
        proof.demand("a CUDA build for NVIDIA" in result.build, "the build is named")


def golden(proof: Proof, project: Path, out: Path) -> None:
    """Record, and run again against the record."""
    environment = snapshot(command="python tests/verify/on_device.py")
    spec = LadderSpec(definition=SMALL, path=(project,))
    path = out / "layer_norm.golden"
    recorded = record_golden(path, spec, environment=environment)
    proof.show("Golden record", ladder_text(recorded))
    proof.demand(recorded.status is CheckStatus.OK, "golden record")
    if path.exists():
        report = compare_golden(path, spec)
        proof.show("Golden record, run again", golden_text(report))
        proof.demand(report.status is CheckStatus.OK, "golden comparison")
    (out / "snapshot.md").write_text(environment.to_markdown(), "utf-8")


def planted(proof: Proof, library: Path) -> None:
    """Climb with every planted fault: it must stop at its rung, and this process live on."""
    rows = []
    for what, mode, launch_empty, rung, word in PLANTED:
        text = ROW_SUM.format(library=str(library), mode=mode, launch_empty=launch_empty)
        result = run_ladder(LadderSpec(definition=text))
        fell = next((r for r in result.rungs if r.id == result.resume), None)
        detail = fell.detail if fell else ""
        rows.append(f"{what}: {'stopped at ' + result.resume if fell else 'no fall'}: {detail}")
        proof.demand(result.resume == rung and word in detail, f"{what} at {rung or 'no rung'}")
    proof.show("Planted faults", "\n".join(rows))


def main(out: Path) -> int:
    """Run all parts."""
    proof = Proof()
    work = out / "build"
    work.mkdir(parents=True)
    library = build(work)
    project = work / "fused_norm"
    proof.show("Doctor", checks_text(doctor(root=project)))
    proof.show("Doctor, framework alone", checks_text(doctor(root=project, layer="framework")))
    proof.show(
        "Doctor, application alone", checks_text(doctor(root=project, layer="application"))
    )
    planted(proof, library)
    climb(proof, project)
    golden(proof, project, out)
    shutil.rmtree(work)
    verdict = "; ".join(proof.wrong) or "all as it must be"
    (out / "report.md").write_text("\n".join(["# On a device", "", verdict, "", *proof.lines]))
    sys.stdout.write(f"{verdict}\n")
    return 1 if proof.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
