"""A session's view of what lies around the loop: survey, environment, report."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.core.version import __version__
from fastpt_lab.host.files import decode_source
from fastpt_lab.session.base import BaseSession

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastpt_lab.core.check import Check
    from fastpt_lab.core.port import FileDiff, PortRecord
    from fastpt_lab.core.survey import Survey
    from fastpt_lab.core.verification import GoldenReport, LadderResult, Rung
    from fastpt_lab.verify.snapshot import Snapshot


class Surroundings(BaseSession):
    """What a session knows beside the loop; the last of each is kept for the report."""

    _survey: Survey | None = None
    _checks: tuple[Check, ...] = ()
    _snapshot: Snapshot | None = None
    _snapshot_path: str = ""
    _rungs: tuple[Rung, ...] = ()

    def survey(self, paths: Iterable[str | Path] = ()) -> Survey:
        """Say what the project uses, how much work it is, and which route fits.

        Args:
            paths: files and folders; the whole project by default.

        Raises:
            CancelledError, ConfigError: as `survey.survey.survey` does.
        """
        from fastpt_lab.survey.facts import probe_facts
        from fastpt_lab.survey.survey import survey
        from fastpt_lab.transcode.ruleset import load_rules

        with self._work("survey") as progress:
            names: dict[str, str] = {}
            with suppress(ToolMissingError):
                # Without torch there are no tables; what maps to what stays unknown.
                names = dict(load_rules().tables.words)
            self._survey = survey(
                self.project,
                stack_facts=probe_facts(),
                paths=self._resolve(paths),
                names=names,
                progress=lambda done, total, path: progress(done, total, path.name),
                cancel=self._cancel,
            )
            return self._survey

    def doctor(
        self,
        *,
        layer: str | None = None,
        only: str | None = None,
        timeout: float | None = None,
    ) -> tuple[Check, ...]:
        """Ask the machine from the device up; nothing is changed.

        Raises:
            UnknownNameError: there is no such layer or check.
        """
        from fastpt_lab.verify.layers import doctor

        with self._work("doctor") as progress:
            checks = doctor(
                layer=layer,
                only=only,
                root=self.root,
                timeout=timeout or 20.0,
                on_check=lambda check: progress(0, 0, check.id),
            )
            if layer is None and only is None:
                self._checks = checks
            return checks

    def explain_output(self, text: str) -> tuple[Check, ...]:
        """Read what a tool printed, maybe on another machine, as the doctor would there."""
        from fastpt_lab.verify.pasted import explain_output

        return explain_output(text)

    def snapshot(self, output: str | Path | None = None) -> Snapshot:
        """Record the environment, without secrets; write it where `output` says.

        Raises:
            WriteError: it cannot be written.
        """
        from fastpt_lab.verify.snapshot import save_snapshot, snapshot

        with self._work("snapshot"):
            self._snapshot = snapshot(root=self.root)
            if output is not None:
                path = Path(output).expanduser().absolute()
                save_snapshot(self._snapshot, path)
                self._snapshot_path = str(output)
            return self._snapshot

    def verify(
        self,
        definition: str = "",
        *,
        device: str = "cuda",
        extension: str = "",
        resume: str = "",
        record: str | Path | None = None,
        compare: str | Path | None = None,
        timeout: float | None = None,
    ) -> LadderResult | GoldenReport:
        """Climb from the import of torch to the operator at its real size, one rung at a time.

        Args:
            definition: names op, reference and inputs (`verify/definition.py`); "" climbs only
                the rungs that need none.
            device: `cuda`, which is also a HIP device's name in torch, or `cpu`.
            extension: module to import on a rung of its own.
            resume: rung to begin with.
            record: write a golden file instead, if all numbers are right.
            compare: compare with a golden file instead.
            timeout: seconds for each rung.

        Raises:
            UsageError, UnknownNameError, PathMissingError, ConfigError: see `verify/`.
        """
        from fastpt_lab.core.port import EventKind
        from fastpt_lab.verify.golden import compare_golden, record_golden
        from fastpt_lab.verify.ladder import LadderSpec, run_ladder

        with self._work("verify") as progress:
            spec = LadderSpec(
                definition=definition,
                device=device,
                extension=extension,
                path=(self.root,),
                root=self.root,
                resume=resume,
                timeout=timeout or 120.0,
            )

            def say(_: str, title: str, rung: Rung | None) -> None:
                progress(0, 0, title if rung is None else f"{title}: {rung.status.value}")

            if compare is not None:
                return compare_golden(Path(compare).expanduser(), spec, on_step=say)
            if record is not None:
                return record_golden(Path(record).expanduser(), spec, on_step=say)
            result = run_ladder(spec, say)
            self._rungs = result.rungs
            self._story.happened(EventKind.VERIFIED, f"the ladder: {result.status.value}")
            return result

    def port_record(self) -> PortRecord:
        """Return the whole port as one value: what is known, and the environment as it is now.

        A survey, the doctor's checks and a snapshot are made where this session has none yet.
        """
        from fastpt_lab.core.checklist import checklist
        from fastpt_lab.core.port import PortRecord

        if self._survey is None:
            self.survey()
        if not self._checks:
            self.doctor()
        taken = self._snapshot or self.snapshot()
        return PortRecord(
            root=self.root,
            made=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            tool=f"fastpt-lab {__version__}",
            survey=self._survey,
            stack=self.report.stack if self.report else (),
            transcoded=self.report.files if self.report else (),
            events=self._story.events(),
            diffs=self._diffs(),
            report=self.report,
            checks=self._checks,
            rungs=self._rungs,
            snapshot=taken.facts(),
            checklist=checklist(
                checks=self._checks,
                rungs=self._rungs,
                survey=self._survey,
                snapshot=self._snapshot_path,
            ),
        )

    def _diffs(self) -> tuple[FileDiff, ...]:
        """Return how each original differs from what it was before its first change."""
        from difflib import unified_diff

        from fastpt_lab.core.port import FileDiff
        from fastpt_lab.session.changes import changes_in_force

        found = []
        for path, *sides in changes_in_force(self.root):
            before, now = (decode_source(data or b"", path)[0].text for data in sides)
            name = self.project.relative(path)
            lines = unified_diff(
                _lines(before), _lines(now), f"a/{name}", f"b/{name}", lineterm=""
            )
            found.append(FileDiff(path=path, diff="\n".join(lines)))
        return tuple(found)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")
