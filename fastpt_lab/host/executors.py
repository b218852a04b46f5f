"""Where work runs: in threads that wait for compilers, in local processes, or on a Dask cluster.

Each is a `concurrent.futures.Executor`, so who hands out work need not know which.

- A check or a trial of one unit is a compiler's run: it is a process already, with limits and a
  session of its own, and the Python beside it reads and remembers for milliseconds. Threads that
  wait for it share what was probed and precompiled; a process around it would only copy that.
- A repository of a batch is minutes of transcoding, compiling and fixing in a folder of its own:
  one process each, so that a crash, a leak or a kill meets one repository.
- On a cluster the unit is the repository too: a unit's headers and precompiled sets would have to
  travel, a repository is one path. What travels is plain data.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import tempfile
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fastpt_lab.core.errors import CancelledError, ToolMissingError, UsageError, WorkerLostError
from fastpt_lab.core.version import __version__
from fastpt_lab.host.process import Cancel, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

T = TypeVar("T")

_ATTEMPTS = 3
_CONNECT_SECONDS = 20
_KEPT_BYTES = 1 << 16
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from fastpt_lab.host.taskchild import main; main(sys.argv[2])"
)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def compilers(jobs: int) -> Executor:
    """Return threads for what waits for compiler processes; 0 is one a core."""
    return ThreadPoolExecutor(max_workers=jobs or cores())


class ProcessExecutor(Executor):
    """Runs each call in a new Python process; the death of one is no other's.

    `concurrent.futures.ProcessPoolExecutor` loses every pending call when one process dies, and
    its workers outlive a parent that was killed. Here a call whose process dies is made again,
    `_ATTEMPTS` times in all, and the processes end with their parent.

    Functions must be found by name in a module; arguments and results must be picklable.
    """

    def __init__(self, workers: int) -> None:
        self._threads = ThreadPoolExecutor(max_workers=workers)
        self._cancel = Cancel()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:  # noqa: ANN401 - as Executor has it
        """Return the future result of `fn(*args, **kwargs)`.

        The future raises what the call raised, `WorkerLostError` when its processes died, and
        `CancelledError` when the executor was shut down meanwhile.
        """
        return self._threads.submit(self._call, pickle.dumps((fn, args, kwargs)))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; with `cancel_futures` end those that run, too."""
        if cancel_futures:
            self._cancel.set()
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _call(self, call: bytes) -> Any:  # noqa: ANN401 - whatever the function returns
        ended = 0
        with tempfile.TemporaryDirectory(prefix="fastpt-task-") as name:
            answer = Path(name) / "answer"
            # An empty folder is the current one: no module of a repository is imported by chance.
            paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 - "" is the cwd
            argv = [sys.executable, "-c", _START, json.dumps(paths), str(answer)]
            for _ in range(_ATTEMPTS):
                done = run(
                    argv, cwd=Path(name), stdin=call, cancel=self._cancel, keep=_KEPT_BYTES
                )
                if done.cancelled:
                    raise CancelledError("ended before it was done")
                if answer.exists():
                    return _answer(answer.read_bytes())
                ended = -done.returncode
                if ended <= 0:
                    last = "".join(done.output.strip().splitlines()[-1:])
                    raise WorkerLostError(f"it ended with exit code {done.returncode}: {last}")
        raise WorkerLostError(
            f"{_ATTEMPTS} processes died at it, one after the other; the last was ended by "
            f"{_signal_name(ended)}",
            next_step="Memory may be short: run fewer at once with --jobs",
        )


def _answer(data: bytes) -> Any:  # noqa: ANN401 - whatever the function returned
    kind, value = pickle.loads(data)
    if kind == "raised":
        raise value
    return value


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Give an executor that runs `workers` calls at once, each in a process of this machine."""
    executor = ProcessExecutor(workers)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Give an executor of the Dask cluster whose scheduler is at `address`.

    Dask gives the task of a dead worker to another one, and gives it up, with an exception, when
    more workers died at it than its setting `distributed.scheduler.allowed-failures` (3) allows.

    Raises:
        ToolMissingError: Dask is not installed, or a worker has not this version of the lab.
        UsageError: no scheduler answers there, or it has no worker.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ToolMissingError(
            "--scheduler needs Dask's distributed, which is not installed",
            next_step="pip install 'fastpt-lab[dask]'",
        ) from error
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"no Dask scheduler answers at {address}: {error}",
            next_step="Start one with `dask scheduler`, and name its address: tcp://HOST:8786",
        ) from error
    try:
        _check_workers(client.run(_version, on_error="return"), address)
        yield client.get_executor(pure=False)
    finally:
        client.close()


def _version() -> str:
    """Return the version that a worker has."""
    return __version__


def _check_workers(versions: Mapping[str, object], address: str) -> None:
    if not versions:
        raise UsageError(
            f"the scheduler at {address} has no worker",
            next_step=f"Start some: `dask worker {address} --nthreads 1`",
        )
    for worker, version in versions.items():
        if version != __version__:
            has = version if isinstance(version, str) else f"none ({version})"
            raise ToolMissingError(
                f"worker {worker} needs fastpt-lab {__version__} and has {has}",
                next_step="Install the same version in the environment of the workers",
            )
