"""Make one call in this process and write its answer to a file; `executors` starts it."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from pathlib import Path

from fastpt_lab.core.errors import FastptError
from fastpt_lab.host.files import write_atomic

_LOOK_SECONDS = 0.3
_GRACE_SECONDS = 5.0


def main(answer: str) -> None:
    """Read a call from standard input, make it, and write `answer` when it has ended.

    What the call raises by mistake is written to standard error, and there is no answer: for the
    parent this process has died.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    function, args, kwargs = pickle.load(sys.stdin.buffer)
    try:
        outcome = ("returned", function(*args, **kwargs))
    except FastptError as error:
        outcome = ("raised", error)
    write_atomic(Path(answer), pickle.dumps(outcome))


def _end_with(parent: int) -> None:
    """End this process soon after its parent: nobody would take the answer.

    The interrupt lets it end its compilers, which are in sessions of their own.
    """
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(_GRACE_SECONDS)
    os._exit(1)
