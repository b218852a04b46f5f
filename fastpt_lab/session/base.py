"""What every part of a session stands on: the project, one piece of work at a time, events."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import GeneratedFileError, UsageError
from fastpt_lab.fix.undo import recover
from fastpt_lab.host.config import load_config
from fastpt_lab.host.process import Cancel
from fastpt_lab.host.project import Project, find_root, is_generated
from fastpt_lab.session.events import Events
from fastpt_lab.session.options import CheckOptions
from fastpt_lab.session.state import load_report, save_report
from fastpt_lab.session.story import Story
from fastpt_lab.session.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fastpt_lab.core.report import Report
    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.core.text import Document
    from fastpt_lab.session.events import Activity, Listener


class BaseSession:
    """One project; see `fastpt_lab.session.session.Session`."""

    def __init__(
        self,
        path: str | Path = ".",
        *,
        root: str | Path | None = None,
        **options: Any,  # noqa: ANN401 - the fields of CheckOptions
    ) -> None:
        folder = Path(root).resolve() if root is not None else find_root(Path(path))
        config = load_config(folder)
        self.project = Project(folder, config.exclude)
        self.recovered = recover(folder)
        self.report: Report | None = load_report(self.project.state_dir, folder)
        self._story = Story(self.project.state_dir, folder)
        self._events = Events()
        self._workbench = Workbench(
            self.project, CheckOptions.from_config(config).override(**options), self._events
        )
        self._working = threading.RLock()
        self._cancel = Cancel()

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self.project.root

    @property
    def options(self) -> CheckOptions:
        """How units are compiled."""
        return self._workbench.options

    def read(self, path: Path) -> Document | None:
        """Return the text at `path` as it is on disk now, None if there is none."""
        return self._workbench.sources.document(path)

    def origin(self, generated: Path) -> Origin | None:
        """Return both texts of a generated file and the map between them."""
        return self._workbench.origins.find(generated)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event, from the thread that works; return what ends that.

        Events: `progress` (activity, done, total, current, seconds, finished, in_cell), `report`,
        `journal`.
        """
        return self._events.subscribe(listener)

    def cancel(self) -> None:
        """End the running work; what was already written stays written."""
        self._cancel.set()

    def configure(self, **options: Any) -> None:  # noqa: ANN401 - the fields of CheckOptions
        """Change options of `check`; None leaves one as it is.

        Raises:
            UsageError: there is no such option.
        """
        self._workbench.configure(self.options.override(**options))

    @contextmanager
    def _work(self, name: str) -> Iterator[Activity]:
        """Do one piece of work; another thread's waits until it is done."""
        with self._working, self._events.activity(name) as activity:
            self._cancel = Cancel()
            try:
                yield activity
            except KeyboardInterrupt:
                # What runs in other threads must not outlive the interrupted cell.
                self._cancel.set()
                raise

    def _current(self) -> Report:
        if self.report is None:
            raise UsageError("nothing was checked yet", next_step="Run check first")
        return self.report

    def _publish(self, report: Report) -> Report:
        self.report = report
        save_report(self.project.state_dir, report)
        self._events.send("report")
        return report

    def _resolve(self, paths: Iterable[str | Path]) -> tuple[Path, ...]:
        found = tuple(self.project.resolve(path) for path in paths)
        for path in found:
            if path.is_file() and is_generated(path):
                original = self.origin(path)
                name = original.original_path.name if original else "the original"
                raise GeneratedFileError(
                    f"{path.name} is generated from {name}", next_step=f"Name {name} instead"
                )
        return found
