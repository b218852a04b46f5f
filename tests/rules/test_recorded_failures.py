"""Every recorded compiler failure whose fix is an edit: ported, undone, seen by both sides."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from needs import need_hipcc, need_nvcc, need_torch, need_unifdef
from rule_bench import FLAGS, STUBS, Originals, hipcc, hipify_with_torch, nvcc, read

from fastpt_lab.build.locate import first_error, locate
from fastpt_lab.build.logs import parse
from fastpt_lab.build.stack import ProbedStack
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.core.action import Applicability, CodeAction, CudaEffect
from fastpt_lab.core.diagnostic import Diagnostic
from fastpt_lab.core.guard import HIP_MACROS
from fastpt_lab.core.stack import Stack
from fastpt_lab.fix.apply import apply
from fastpt_lab.fix.journal import Journal
from fastpt_lab.fix.undo import undo
from fastpt_lab.host.project import Project
from fastpt_lab.rules import actions_for
from fastpt_lab.transcode.result import TranscodeOptions
from fastpt_lab.transcode.run import transcode

CASES = Path(__file__).parents[1] / "fixtures" / "cases"
STUB_OF = {
    "03": "warpsync", "11": "hipblas_v1", "12": "hipblas_v2", "14": "hipblas_v1",
    "15": "vecfriend",
}  # fmt: skip
EDITED = [
    "01",
    "02",
    "03",
    "04",
    "06",
    "07",
    "09",
    "11",
    "12",
    "14",
    "15",
    "16",
    "19",
    "20",
    "21",
    "22",
    "23",
    "26",
    "27",
    "30",
    "32",
    "33",
    "35",
    "36",
    "37",
    "41",
    "42",
    "45",
    "46",
    "48",
    "49",
    "52",
    "60",
    "61",
    "63",
    "65",
    "68",
]
MAX_ROUNDS = 8
# Our engine knows these names; torch's does not, and real builds run torch's.
ONLY_WITH_TORCH = ("20", "30")


def case_of(number: str) -> Path:
    return next(CASES.glob(f"{number}-*"))


def originals_of(folder: Path) -> list[Path]:
    """The case's sources: not what a transcoder or a person made of them."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".cu", ".cuh")
        and "_hip" not in path.name
        and "fixed" not in path.relative_to(folder).as_posix()
    ]


class Bench:
    """One case in a folder of its own, ported by our engine and rules."""

    def __init__(self, number: str, root: Path) -> None:
        self.root = root
        self.engine = "torch" if number in ONLY_WITH_TORCH else "lab"
        self.flags = (f"-I{STUBS / STUB_OF[number]}",) if number in STUB_OF else ()
        case = case_of(number)
        for path in originals_of(case):
            target = root / path.relative_to(case)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        self.originals = originals_of(root)
        self.before = {path: path.read_bytes() for path in self.originals}
        self.journal = Journal(root)
        self.applied: list[CodeAction] = []
        self.stack: Stack = ProbedStack(
            find_toolchain(architectures=["gfx906"]), [*FLAGS, *self.flags], cwd=root
        )

    def check(self) -> tuple[Diagnostic, ...]:
        """What hipcc says of the transcoded unit, at the places in the originals."""
        options = TranscodeOptions(engine=self.engine)
        result = transcode(Project(self.root), self.originals, options)
        unit = next(f.generated for f in result.files if f.original.name == "input.cu")
        code, output = hipcc(unit, *self.flags)
        found = locate(
            parse(output),
            origin=result.origin,
            document=lambda p: read(p) if p.is_file() else None,
            root=self.root,
            cwd=self.root,
        )
        assert (code == 0) == (first_error(found) is None), output
        return found

    def offers(self, diagnostics: tuple[Diagnostic, ...]) -> list[CodeAction]:
        """The edits for the first error, the widest last."""
        error = first_error(diagnostics)
        assert error is not None
        workspace = Originals({path: read(path) for path in self.originals})
        actions = actions_for([error], workspace, self.stack)
        return [action for action in actions if action.edit is not None]

    def port(self) -> None:
        """Apply what is offered for the first error until there is none."""
        for _ in range(MAX_ROUNDS):
            diagnostics = self.check()
            if first_error(diagnostics) is None:
                return
            offers = self.offers(diagnostics)
            assert offers, f"nothing is offered for {first_error(diagnostics)}"
            action = offers[-1]
            assert action.edit is not None
            apply(
                action.edit,
                root=self.root,
                journal=self.journal,
                rule=action.rule,
                attribute_only=action.cuda_effect is CudaEffect.ATTRIBUTE_ONLY,
            )
            self.applied.append(action)
        raise AssertionError(f"still an error after {MAX_ROUNDS} edits")

    def unguarded(self, path: Path) -> bytes:
        """What the tool unifdef leaves of a file without the HIP macros."""
        argv = ["unifdef", *(f"-U{name}" for name in sorted(HIP_MACROS)), str(path)]
        done = subprocess.run(argv, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def attributes_only(self) -> bool:
        return any(a.cuda_effect is CudaEffect.ATTRIBUTE_ONLY for a in self.applied)


@need_hipcc
@need_nvcc
@need_torch
@need_unifdef
@pytest.mark.parametrize("number", EDITED)
def test_the_failure_is_ported(number: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    bench = Bench(number, root)
    bench.port()
    assert bench.applied, "the case compiles without a fix"
    changed = [p for p in bench.originals if p.read_bytes() != bench.before[p]]
    for path in changed:
        if not bench.attributes_only():
            assert bench.unguarded(path) == bench.before[path]

    other = tmp_path / "torch"
    for path in bench.originals:
        (other / path.relative_to(root)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, other / path.relative_to(root))
    hipify_with_torch(other)
    code, output = hipcc(other / "input.hip", *bench.flags)
    assert code == 0, output
    code, output = nvcc(root / "input.cu", *bench.flags)
    assert code == 0, output

    undo(root, every=True)
    assert {path: path.read_bytes() for path in bench.originals} == bench.before


def test_the_list_of_cases_is_complete() -> None:
    kinds = {}
    for path in CASES.glob("*/meta.json"):
        meta = json.loads(path.read_text())
        kinds[path.parent.name[:2]] = meta
    edits = {
        number
        for number, meta in kinds.items()
        if meta["kind"] == "hipcc" and "guarded-edit" in meta["expected_fix"]["kind"]
    }
    # 43: launch attributes have no equivalent; there is advice.
    assert edits - set(EDITED) == {"43"}


SHELL = {
    "28": "environment", "39": "flag", "43": "advice", "53": "flag", "54": "environment",
    "55": "environment", "56": "flag", "57": "environment", "70": "flag", "71": "advice",
    "72": "advice", "73": "environment", "74": "environment", "76": "flag",
    "78": "environment", "80": "advice", "81": "environment", "83": "environment",
    "84": "flag", "85": "advice", "86": "advice", "90": "advice", "94": "advice",
    "95": "flag", "96": "environment", "97": "environment", "98": "environment",
}  # fmt: skip


class Bare:
    """A `Stack` of a compiler that has nothing, with the flags of a build for CUDA."""

    hip_version = (5, 2)
    architectures = ("gfx906",)
    flags = (
        "-std=c++11",
        "-gencode",
        "arch=compute_80,code=sm_80",
        "-D__HIP_NO_HALF_OPERATORS__=1",
    )

    def has(self, name: str) -> bool | None:
        return False

    declares = has_header = compiles = has

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        return ()

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        return ()


@pytest.mark.parametrize(("number", "kind"), SHELL.items())
def test_a_failure_without_an_edit_gets_the_right_kind_of_action(
    number: str, kind: str
) -> None:
    folder = case_of(number)
    documents = {
        path: read(path) for path in folder.glob("*") if path.suffix in (".cu", ".cpp", ".c")
    }
    found = locate(
        parse((folder / "stderr.txt").read_bytes()),
        origin=lambda path: None,
        document=documents.get,
        root=folder,
        cwd=folder,
    )
    error = first_error(found)
    assert error is not None
    actions = actions_for([error], Originals(documents), Bare())
    assert [a.kind.value for a in actions] == [kind]
    assert actions[0].diagnostics == (error.id,)
    assert actions[0].edit is None
    assert actions[0].advice
    assert (actions[0].flags is not None) == (kind == "flag")
    if kind != "flag":
        assert actions[0].applicability is Applicability.DISPLAY_ONLY


def test_no_rule_speaks_of_a_clean_log() -> None:
    assert actions_for(parse(b"[1/1] hipcc -c a.hip -o a.o\n"), Originals(), Bare()) == ()
