"""FastPT's modes, driven through a double of its script; the caller's environment stays."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from fastpt_lab.core.errors import RefusedError, ToolMissingError
from fastpt_lab.core.modes import (
    MODE_VARIABLE,
    Mode,
    active_mode,
    advice_for,
    read_said,
    show_value,
)
from fastpt_lab.host.modes import capture, find_fastpt, run_inside
from fastpt_lab.show.modes import active_text, mode_html, mode_text
from fastpt_lab.show.survey_json import mode_json

DOUBLE = Path(__file__).with_name("fastpt_standin.sh")
SAMPLES = Path(__file__).parents[1] / "fixtures" / "env"
WHICH_NVCC = "import shutil; print(shutil.which('nvcc') or 'none')"


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """Return an environment with the double on PATH and a DTK whose nvcc is a file."""
    tools = tmp_path / "bin"
    tools.mkdir()
    script = tools / "fastpt"
    script.write_bytes(DOUBLE.read_bytes())
    script.chmod(0o755)
    compiler = tmp_path / "dtk" / "cuda" / "cuda-12" / "bin" / "nvcc"
    compiler.parent.mkdir(parents=True)
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    return {
        "PATH": f"{tools}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "DOUBLE_ROOT": str(tmp_path),
        "DOUBLE_GONE": "still here",
        "DOUBLE_SECRET": "hunter2hunter2",
        "API_KEY": "sk-0123456789abcdef",
    }


def changes(machine: dict[str, str], mode: Mode) -> dict[str, tuple[str, str]]:
    found = capture(mode, environment=machine)
    return {c.name: (c.kind, c.after) for c in found.changes}


def test_build_mode_sets_its_compiler_and_says_what_it_read(machine: dict[str, str]) -> None:
    found = capture(Mode.BUILD, environment=machine)
    assert found.ok
    assert found.said.dtk == "25042"
    assert found.said.torch_ok is True
    assert found.said.cuda_loaded
    path = next(c for c in found.changes if c.name == "PATH")
    assert path.kind == "changed"
    assert path.entries == (f"{machine['DOUBLE_ROOT']}/dtk/cuda/cuda-12/bin",)
    assert {c.name for c in found.changes} == {
        "CUDA_HOME", "PATH", "CMAKE_PREFIX_PATH", "USE_FASTPT_CUDA",
    }  # fmt: skip


def test_run_mode(machine: dict[str, str]) -> None:
    found = capture(Mode.RUN, environment=machine)
    assert found.ok
    assert [c.name for c in found.changes] == ["LD_LIBRARY_PATH"]
    assert found.said.torch == "2.5"


def test_transcode_mode_with_newlines_removals_and_secrets(machine: dict[str, str]) -> None:
    found = capture(Mode.TRANSCODE, environment=machine)
    assert found.environment["DOUBLE_LINES"] == "first\nsecond"
    kinds = {c.name: c.kind for c in found.changes}
    assert kinds["DOUBLE_GONE"] == "removed"
    assert kinds["SECRET_TOKEN"] == "added"
    shown = mode_text(found) + mode_html(found) + json.dumps(mode_json(found)) + repr(found)
    assert "hunter2" not in shown
    assert "still here" not in shown
    assert "<redacted:SECRET_TOKEN>" in mode_text(found)


def test_the_callers_environment_is_byte_identical(machine: dict[str, str]) -> None:
    before = dict(os.environb)
    own = dict(machine)
    for mode in Mode:
        run_inside(mode, [sys.executable, "-c", "import os; os.environ['X'] = '1'"],
                   environment=machine)  # fmt: skip
    assert dict(os.environb) == before
    assert machine == own


def test_a_build_inside_sees_the_new_nvcc_and_the_next_one_does_not(
    machine: dict[str, str],
) -> None:
    argv = [sys.executable, "-c", WHICH_NVCC]
    _, first = run_inside(Mode.BUILD, argv, environment=machine)
    assert first is not None
    assert first.output.strip() == f"{machine['DOUBLE_ROOT']}/dtk/cuda/cuda-12/bin/nvcc"
    _, second = run_inside(Mode.TRANSCODE, argv, environment=machine)
    assert second is not None
    assert second.output.strip() == "none"


def test_the_command_is_words_not_shell(machine: dict[str, str], tmp_path: Path) -> None:
    words = ["$(touch spoiled)", "a b", "; touch spoiled", "`touch spoiled`"]
    script = "import json, sys; print(json.dumps(sys.argv[1:]))"
    _, done = run_inside(
        Mode.RUN, [sys.executable, "-c", script, *words], environment=machine, cwd=tmp_path
    )
    assert done is not None
    assert json.loads(done.output) == words
    assert not (tmp_path / "spoiled").exists()


def test_a_script_in_a_folder_with_spaces_and_quotes(machine: dict[str, str]) -> None:
    odd = Path(machine["HOME"]) / "a 'b\" $(touch spoiled)"
    odd.mkdir()
    script = odd / "fastpt"
    script.write_bytes(DOUBLE.read_bytes())
    assert capture(Mode.RUN, script=script, environment=machine).ok
    assert not (Path(machine["HOME"]) / "spoiled").exists()


@pytest.mark.parametrize("hook", ["BASH_ENV", "ENV"])
def test_hooks_of_the_callers_shell_do_not_run(machine: dict[str, str], hook: str) -> None:
    trap = Path(machine["HOME"]) / "trap.sh"
    trap.write_text("export CAUGHT=1\n")
    found = capture(Mode.RUN, environment={**machine, hook: str(trap)})
    assert "CAUGHT" not in found.environment


def test_a_callers_nounset_does_not_reach_the_script(machine: dict[str, str]) -> None:
    options = {"SHELLOPTS": "braceexpand:hashall:interactive-comments:nounset:errexit"}
    assert capture(Mode.BUILD, environment={**machine, **options}).ok


def test_a_script_that_leaves_strict_options_on_is_survived(machine: dict[str, str]) -> None:
    found = capture(Mode.RUN, environment={**machine, "DOUBLE_PLAY": "strict"})
    assert found.ok
    assert "LD_LIBRARY_PATH" in found.environment


def test_a_mismatch_is_a_problem_and_the_command_is_not_run(machine: dict[str, str]) -> None:
    env = {**machine, "DOUBLE_PLAY": "mismatch"}
    found, done = run_inside(Mode.BUILD, ["true"], environment=env)
    assert done is None
    assert found.said.required_dtk == "25042"
    assert "25044" in found.problems[0]
    _, anyway = run_inside(Mode.BUILD, ["true"], environment=env, despite_problems=True)
    assert anyway is not None
    assert anyway.ok


def test_a_torch_mismatch_is_a_problem(machine: dict[str, str]) -> None:
    found = capture(Mode.BUILD, environment={**machine, "DOUBLE_PLAY": "torch"})
    assert found.said.torch_ok is False
    assert any("torch" in problem for problem in found.problems)


def test_an_old_fastpt_only_transcodes(machine: dict[str, str]) -> None:
    env = {**machine, "DOUBLE_PLAY": "old"}
    found = capture(Mode.BUILD, environment=env)
    assert "1.2.0 does not know -C" in found.problems[0]
    assert capture(Mode.TRANSCODE, environment=env).ok


def test_a_script_that_exits_is_reported(machine: dict[str, str]) -> None:
    found = capture(Mode.RUN, environment={**machine, "DOUBLE_PLAY": "exits"})
    assert found.returncode is None
    assert "ended its shell" in found.problems[0]
    assert found.environment == {}


def test_an_nvcc_that_is_not_there_is_a_problem(machine: dict[str, str]) -> None:
    (Path(machine["DOUBLE_ROOT"]) / "dtk/cuda/cuda-12/bin/nvcc").unlink()
    assert any("no nvcc" in p for p in capture(Mode.BUILD, environment=machine).problems)


def test_an_absent_fastpt_names_the_next_step(tmp_path: Path) -> None:
    if find_fastpt({"PATH": str(tmp_path)}) is not None:
        pytest.skip("FastPT is installed beside this Python")
    with pytest.raises(ToolMissingError, match="Install FastPT"):
        capture(Mode.BUILD, environment={"PATH": str(tmp_path)})


@pytest.mark.parametrize(
    ("active", "asked"),
    [
        ({MODE_VARIABLE: "-C"}, Mode.RUN),
        ({"USE_FASTPT_CUDA": "1"}, Mode.RUN),
        ({"LD_LIBRARY_PATH": "/opt/dtk/cuda/cuda-12/lib64/"}, Mode.BUILD),
    ],
)
def test_mixing_is_refused(
    machine: dict[str, str], active: dict[str, str], asked: Mode
) -> None:
    with pytest.raises(RefusedError, match="new terminal"):
        capture(asked, environment={**machine, **active})


def test_a_nested_run_is_refused_by_the_mark_of_the_first(machine: dict[str, str]) -> None:
    entered, _ = run_inside(Mode.BUILD, ["true"], environment=machine)
    with pytest.raises(RefusedError):
        capture(Mode.RUN, environment=entered.environment)
    assert active_mode(entered.environment) == (Mode.BUILD, f"{MODE_VARIABLE} is -C")


def test_no_mode_is_active_in_a_plain_environment(machine: dict[str, str]) -> None:
    assert active_mode(machine) is None
    assert "No mode" in active_text(None, {})
    assert "fastpt -C" in active_text((Mode.BUILD, "x"), {"fastpt": "/bin/fastpt"})


def sample(name: str) -> str:
    return (SAMPLES / name).read_text("utf-8").partition("\n")[2]


def test_recorded_lines_are_understood() -> None:
    ok = read_said(sample("fastpt_C_ok.txt"))
    assert (ok.dtk, ok.torch_ok, ok.cuda_loaded, ok.required_dtk) == ("25042", True, True, "")
    bad = read_said(sample("fastpt_E_mismatch.txt"))
    assert (bad.dtk, bad.required_dtk, bad.torch) == ("25044", "25042", "2.5")
    assert len(bad.warnings) == 1


def test_the_missing_library_leads_to_run_mode() -> None:
    line = "OSError: libc10_cuda.so: cannot open shared object file: No such file or directory"
    assert "fastpt -E" in advice_for(line)[0]
    assert advice_for("all well") == ()


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("PATH", "/a:/b", "/a:/b"),
        ("CUDA_HOME", "/opt/dtk/cuda", "/opt/dtk/cuda"),
        ("HF_TOKEN", "hf_x", "<redacted:HF_TOKEN>"),
        ("CUDA_API_KEY", "x", "<redacted:CUDA_API_KEY>"),
        ("EDITOR", "vi", "<redacted:EDITOR>"),
        ("TORCH_INDEX", "https://me:pw@host/x", "https://<redacted>@host/x"),
    ],
)
def test_values_are_shown_by_an_allow_list(name: str, value: str, shown: str) -> None:
    assert show_value(name, value) == shown
