"""Port a copy of the shipped extension from CUDA to HIP, with the compiler of this machine.

    python notebooks/examples/demo.py [FOLDER]

FOLDER (default: .artifacts/demo) gets the copy and the report; nothing else is written.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from fastpt_lab import Session
from fastpt_lab.core.errors import FastptError
from fastpt_lab.core.guard import attribute_only, same_cuda_view
from fastpt_lab.host.files import read_source
from fastpt_lab.session.green import GreenStep
from fastpt_lab.show.report import port_html
from fastpt_lab.show.survey import survey_text
from fastpt_lab.show.text import place, report_text, trial_words

HERE = Path(__file__).resolve().parent


def say(text: str = "") -> None:
    """Print at once, also through a pipe."""
    print(text, flush=True)  # noqa: T201 - a script that is run to be read


def main() -> int:
    """Run the whole port; return 0 if every unit compiles in the end."""
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".artifacts/demo").resolve()
    project = target / "fused_norm"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(HERE / "fused_norm", project)
    before = {path: read_source(path) for path in sorted((project / "csrc").iterdir())}
    started = time.monotonic()
    session = Session(project)

    say("== Survey: what does it use, which route fits?")
    say("\n".join(survey_text(session.survey()).splitlines()[:4]))

    say("\n== Transcode: .cu and .cuh -> .hip")
    say(report_text(session.transcode(), session.read, verbose=True))

    say("\n== Check: the first error, in the original")
    report = session.check()
    say(report_text(report, session.read))

    say("\n== Fix: each first error, the fixes tried with the compiler, what was written")

    def step(turn: GreenStep) -> None:
        say(f"\nFirst error: {place(turn.error.location, project)}: {turn.error.message}")
        for action in turn.tried:
            say(f"  {action.title} [{action.rule}]\n    {trial_words(action.trial)}")
        if turn.applied is not None:
            names = ", ".join(session.project.relative(p) for p in turn.applied.paths)
            say(f"  written to {names} as {turn.applied.id}")
        else:
            say(f"  stopped: {turn.reason}")

    report = session.until_green(on_step=step)
    say("\n" + report_text(report, session.read))

    say("\n== The originals, as a CUDA compiler sees them")
    for path, old in before.items():
        now = read_source(path)
        if now.data == old.data:
            continue
        if same_cuda_view(old.document.text, now.document.text):
            verdict = "cuda_view identical"
        elif attribute_only(old.document.text, now.document.text):
            verdict = "differs in __host__/__device__ only"
        else:
            verdict = "CUDA WOULD SEE ANOTHER PROGRAM"
        say(f"  {session.project.relative(path)}: {verdict}")

    page = target / "report.html"
    page.write_text(port_html(session.port_record()), "utf-8")
    say(f"\nWritten: {project} (a copy), {page}")
    say(f"{'Green' if report.green else 'Not green'} after {time.monotonic() - started:.0f} s")
    return report.exit_code


if __name__ == "__main__":
    try:
        sys.exit(main())
    except FastptError as error:
        sys.exit(f"demo: {error}")
