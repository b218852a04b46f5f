"""A batch on a real local Dask cluster of two worker processes, one of them killed meanwhile."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from batch.batch_repositories import FINE, FIXABLE, digests, make
from needs import need_dask, need_hipcc, need_torch

from fastpt_lab.core.batch import BatchReport, Outcome, Repository
from fastpt_lab.core.errors import ToolMissingError, UsageError
from fastpt_lab.host import executors
from fastpt_lab.session.batch import Batch, BatchOptions

pytestmark = pytest.mark.xdist_group("dask")

# As `dask scheduler` and `dask worker` do it, with ports of the system's choice.
SCHEDULER = """
import asyncio, sys
from distributed import Scheduler
async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(main())
"""
WORKER = """
import asyncio, sys
from distributed import Nanny
async def main():
    async with Nanny(sys.argv[1], host="127.0.0.1", nthreads=1, dashboard=False) as nanny:
        print("ready", flush=True)
        await nanny.finished()
if __name__ == "__main__":
    asyncio.run(main())
"""


class Cluster:
    """A scheduler, and workers that are started again when they die."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[str]] = []
        self.address = self._start("scheduler", SCHEDULER)

    def _start(self, name: str, code: str, *words: str) -> str:
        script = self._folder / f"{name}.py"
        script.write_text(code)
        process = subprocess.Popen(
            [sys.executable, script, *words],
            cwd=self._folder,
            env={**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self._processes.append(process)
        assert process.stdout is not None
        return process.stdout.readline().strip()

    def add_worker(self) -> None:
        assert self._start("worker", WORKER, self.address) == "ready"

    def close(self) -> None:
        for process in reversed(self._processes):
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Cluster(folder)
    yield made
    made.close()


def until(true: Callable[[], object], what: str) -> None:
    for _ in range(2400):
        if true():
            return
        time.sleep(0.05)
    pytest.fail(f"never: {what}")


def killing_compiler(folder: Path, *, times: int) -> Path:
    """Return a hipcc that kills the worker which calls it, the first few times."""
    script = folder / "hipcc"
    script.write_text(
        f'#!/bin/sh\necho "$PPID" >>"{folder}/killed"\n'
        f'if [ "$(wc -l <"{folder}/killed")" -le {times} ]; then kill -9 $PPID; fi\n'
        f'exec hipcc "$@"\n'
    )
    script.chmod(0o755)
    return script


def port(repositories: list[Repository], out: Path, address: str) -> BatchReport:
    return Batch(repositories, out, BatchOptions(scheduler=address)).run()


@need_dask
@need_hipcc
@need_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed.*")
def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, cluster: Cluster) -> None:
    cluster.add_worker()
    cluster.add_worker()
    folders = [make(tmp_path / f"r{n}", FINE) for n in range(3)]
    folders.append(make(tmp_path / "r3", FIXABLE))
    before = [digests(folder) for folder in folders]
    killer = killing_compiler(tmp_path, times=1)
    repositories = [Repository(folder=folder) for folder in folders[1:]]
    repositories.insert(1, Repository(folder=folders[0], options={"compiler": str(killer)}))
    report = port(repositories, tmp_path / "out", cluster.address)
    assert len((tmp_path / "killed").read_text().splitlines()) > 1
    assert {row.outcome for row in report.rows} == {Outcome.COMPILES}
    assert [Path(row.folder).name for row in report.rows] == ["r0", "r1", "r2", "r3"]
    assert (report.units, report.before, report.after) == (4, 3, 4)
    assert [digests(folder) for folder in folders] == before
    assert sorted(path.name for path in (tmp_path / "out" / "ported").iterdir()) == sorted(
        row.name for row in report.rows
    )
    assert not (tmp_path / "out" / "work").exists()


@need_dask
@need_hipcc
@need_torch
def test_what_kills_every_worker_is_given_up_with_its_reason(
    tmp_path: Path, cluster: Cluster
) -> None:
    cluster.add_worker()
    cluster.add_worker()
    killer = killing_compiler(tmp_path, times=1000)
    bad, good = make(tmp_path / "bad", FINE), make(tmp_path / "good", FINE)
    repositories = [Repository(folder=bad, options={"compiler": str(killer)})]
    report = port(repositories, tmp_path / "out", cluster.address)
    (row,) = report.rows
    assert row.outcome is Outcome.FAILED
    assert row.reason.startswith("KilledWorker: ")
    assert re.search(r"worker", row.reason)
    assert len((tmp_path / "killed").read_text().splitlines()) == 3
    # The cluster is as good as before, and what failed is tried again.
    repositories = [Repository(folder=bad), Repository(folder=good)]
    report = port(repositories, tmp_path / "out", cluster.address)
    assert [row.outcome for row in report.rows] == [Outcome.COMPILES] * 2


@need_dask
@need_hipcc
@need_torch
def test_a_run_on_a_cluster_can_be_ended(tmp_path: Path, cluster: Cluster) -> None:
    cluster.add_worker()
    waits = tmp_path / "hipcc"
    waits.write_text(
        f'#!/bin/sh\ncase "$*" in *k0*) touch "{tmp_path}/waits"; sleep 600;; esac\nexec hipcc "$@"\n'
    )
    waits.chmod(0o755)
    folders = [make(tmp_path / f"r{n}", FINE) for n in range(2)]
    repositories = [Repository(folder=f, options={"compiler": str(waits)}) for f in folders]
    run = Batch(repositories, tmp_path / "out", BatchOptions(scheduler=cluster.address))

    def end_when_it_works(_: object) -> None:
        if (tmp_path / "waits").exists():
            run.cancel()

    run.subscribe(end_when_it_works)
    report = run.run()
    assert report.cancelled
    assert report.exit_code == 130
    assert [row.outcome for row in report.rows] == [Outcome.NOT_RUN] * 2


@need_dask
def test_an_address_without_a_scheduler_and_a_scheduler_without_a_worker_are_refused(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    repositories = [Repository(folder=make(tmp_path / "r", FINE))]
    with pytest.raises(UsageError, match="has no worker"):
        port(repositories, tmp_path / "out", cluster.address)
    monkeypatch.setattr(executors, "_CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match="no Dask scheduler answers"):
        port(repositories, tmp_path / "out", "tcp://127.0.0.1:9")
    with pytest.raises(UsageError, match="no Dask scheduler answers"):
        port(repositories, tmp_path / "out", "no/address")


def test_without_dask_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    repositories = [Repository(folder=make(tmp_path / "r", FINE))]
    with pytest.raises(ToolMissingError) as raised:
        port(repositories, tmp_path / "out", "tcp://127.0.0.1:8786")
    assert "pip install 'fastpt-lab[dask]'" in raised.value.next_step
