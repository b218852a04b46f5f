"""Run a foreign hipify; executed as a script in a child process, on a copy of the sources.

Standard library only: it runs with whatever Python has the torch. The argument is a JSON file;
the outcome is written as JSON to the file that it names.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any


def _load(folder: str) -> Any:  # noqa: ANN401 - a foreign module
    """Import the hipify in `folder` by itself, without the torch around it."""
    package = ModuleType("hipify")
    package.__path__ = [folder]
    sys.modules["hipify"] = package
    version = Path(folder, "version.py")
    if version.is_file():
        package.__dict__["__version__"] = importlib.import_module("hipify.version").__version__
    return importlib.import_module("hipify.hipify_python")


def main() -> int:
    """Transcode as asked, leaving out the arguments that this hipify does not have."""
    job = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hipify = _load(job["hipify"]).hipify
    known = inspect.signature(hipify).parameters
    missing = [name for name in job["required"] if name not in known]
    if missing:
        Path(job["result"]).write_text(json.dumps({"missing": missing}), "utf-8")
        return 0
    outcome = hipify(**{k: v for k, v in job["arguments"].items() if k in known})
    paths = {
        original: value.get("hipified_path")
        if isinstance(value, dict)
        else getattr(value, "hipified_path", None)
        for original, value in outcome.items()
    }
    Path(job["result"]).write_text(json.dumps({"paths": paths}), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
