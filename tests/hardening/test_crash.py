"""Killed with SIGKILL at every point where a file is written, none is lost and none half new."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from needs import need_torch

from fastpt_lab.fix.undo import recover, redo, undo
from fastpt_lab.host.project import Project
from fastpt_lab.session.state import load_report
from fastpt_lab.transcode.run import transcode

LINES = b"".join(b"line %d;\n" % n for n in range(6))
KERNEL = b'#include "h.cuh"\n__global__ void k() {}\nvoid f() { cudaFree(0); }\n'


class Server:
    """A warm process that forks a child for each question."""

    def __init__(self, cache: Path) -> None:
        here = Path(__file__).parent
        paths = (str(here), str(here.parents[1]))
        self._process = subprocess.Popen(
            [sys.executable, str(here / "crash_server.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={
                "PYTHONPATH": ":".join(paths),
                "FASTPT_CACHE_DIR": str(cache),
                "PATH": "/usr/bin",
            },
            text=True,
        )

    def ask(self, operation: str, root: Path, die_at: int = 0) -> dict[str, Any]:
        question = {"operation": operation, "root": str(root), "die_at": die_at}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return dict(json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("cache"))
    yield made
    made.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "template"
    (root / "sub").mkdir(parents=True)
    for name in ("a.cu", "sub/b.cu", "other.cu"):
        (root / name).write_bytes(LINES)
    return root


def files_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".fastpt" not in path.parts and path not in half_written(root)
    }


def half_written(root: Path) -> list[Path]:
    return list(root.rglob(".*.fastpt-tmp"))


def killed(
    server: Server, operation: str, template: Path, floor: int
) -> Iterator[tuple[Path, dict[str, bytes], dict[str, bytes]]]:
    """Yield a root for every point at which `operation` was killed, and what is old and new."""
    before = files_of(template)
    whole = template.with_name("whole")
    shutil.copytree(template, whole)
    counted = server.ask(operation, whole)
    assert counted["code"] == 0
    after = files_of(whole)
    total = sum(counted["kinds"].values())
    sys.stdout.write(f"{operation}: {total} points, {counted['kinds']}\n")
    assert total >= floor
    # Whatever is opened to be written is written through what counts; the lock alone is not.
    assert counted["streamed"] >= counted["opened"] - 1
    for number in range(1, total + 1):
        root = template.with_name("killed")
        shutil.copytree(template, root)
        assert server.ask(operation, root, number)["code"] == -9, number
        now = files_of(root)
        assert all(data in (before.get(name), after.get(name)) for name, data in now.items())
        lost = {name for name in before if name in after} - set(now)
        assert not lost
        yield root, before, after
        shutil.rmtree(root)
    shutil.copytree(template, template.with_name("killed"))
    assert server.ask(operation, template.with_name("killed"), total + 1)["code"] == 0


def recovered(root: Path, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    """Demand that the next start leaves all old or all new, and says what it found."""
    odd = half_written(root) or files_of(root) not in (before, after)
    said = recover(root)
    assert said or not odd
    assert files_of(root) in (before, after)
    assert half_written(root) == []
    assert recover(root) == ()


@pytest.mark.parametrize(
    ("operation", "floor"), [("apply", 35), ("undo", 20), ("redo", 20), ("recover", 12)]
)
def test_originals(server: Server, root: Path, operation: str, floor: int) -> None:
    originals = files_of(root)
    if operation in ("undo", "redo"):
        assert server.ask("apply", root)["code"] == 0
    if operation == "redo":
        undo(root)
    if operation == "recover":
        _interrupt(server, root)
    for place, before, after in killed(server, operation, root, floor):
        recovered(place, before, after)
        undo(place, every=True)
        assert files_of(place) == originals
        if operation == "undo":
            redo(place)
            assert files_of(place) == before


def _interrupt(server: Server, root: Path) -> None:
    """Leave `root` as an apply does that was killed between its two files."""
    originals = files_of(root)
    for number in range(1, 200):
        tried = root.with_name("tried")
        shutil.copytree(root, tried)
        server.ask("apply", tried, number)
        between = sum(files_of(tried)[name] != data for name, data in originals.items()) == 1
        if between:
            shutil.rmtree(root)
            tried.rename(root)
            return
        shutil.rmtree(tried)
    raise AssertionError("no point lies between the two files")


@pytest.mark.parametrize(("operation", "floor"), [("state", 7), ("snapshot", 5)])
def test_records(server: Server, root: Path, operation: str, floor: int) -> None:
    for place, before, after in killed(server, operation, root, floor):
        recovered(place, before, after)
        kept = place / ".fastpt" / "session.json"
        assert not kept.exists() or load_report(kept.parent, place) is not None


@pytest.mark.torch
@need_torch
@pytest.mark.parametrize(("operation", "floor"), [("transcode", 20), ("clean", 5)])
def test_outputs(server: Server, root: Path, operation: str, floor: int) -> None:
    for name in ("a.cu", "sub/b.cu"):
        (root / name).write_bytes(KERNEL)
    (root / "h.cuh").write_bytes(b"#pragma once\n#include <cuda_runtime.h>\n")
    originals = files_of(root)
    made = root.with_name("made")
    shutil.copytree(root, made)
    assert server.ask("transcode", made)["code"] == 0
    outputs = {n: data for n, data in files_of(made).items() if n not in originals}
    assert len(outputs) == 4
    if operation == "clean":
        shutil.rmtree(root)
        made.rename(root)
    for place, _, _ in killed(server, operation, root, floor):
        left = half_written(place)
        result = transcode(Project(place))
        assert not result.refused
        assert half_written(place) == []
        assert bool(left) == any("interrupted" in remark for remark in result.remarks)
        assert files_of(place) == {**originals, **outputs}
