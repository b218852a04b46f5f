"""Make fixed/ anew: `python tests/gpu/record.py`, with hipcc; then read the difference.

The lab ports the kernels until they compile. What the compiler said at each turn and which
action was taken goes to turns.json, what the installed stack answered to stack.json: from both
the rules can be asked again without a compiler (`replayed`), and must write the same.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from rule_bench import FLAGS, STUBS, Answers, Originals, read

from fastpt_lab.core.diagnostic import Diagnostic, Related, Severity
from fastpt_lab.core.text import Location, Position, Range
from fastpt_lab.rules import actions_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.core.text import Document
    from fastpt_lab.session.green import GreenStep

EXAMPLE = HERE.parents[1] / "notebooks" / "examples" / "fused_norm" / "csrc"
FROM_EXAMPLE = ("warp_reduce.cuh", "block_reduce.inl")
FOLDERS = (HERE / "kernels", HERE / "kernels_6_2", HERE / "kernels_halves")
AS_TORCH_BUILDS = ("__HIP_NO_HALF_OPERATORS__=1", "__HIP_NO_HALF_CONVERSIONS__=1")
"""With which hipcc refuses halves that are taken as numbers (torch 2.13 cpp_extension.py)."""
TURNS, STACK, FIXED = HERE / "turns.json", HERE / "stack.json", HERE / "fixed"


def originals(folder: Path) -> None:
    """Put the kernels of one folder, and what they include, into `folder`."""
    folder.mkdir()
    for source in (HERE / "kernels").iterdir():
        shutil.copy(source, folder)
    for name in FROM_EXAMPLE:
        shutil.copy(EXAMPLE / name, folder)


def originals_alone(kernels: str, folder: Path) -> None:
    """Put the kernels of another folder, and what they include, into `folder`."""
    folder.mkdir()
    for source in (*(HERE / kernels).iterdir(), HERE / "kernels" / "rows.cuh"):
        shutil.copy(source, folder)


def ported(
    folder: Path, *, include_dirs: Sequence[str] = (), defines: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Port a project until it compiles and return what was said and done at each turn.

    It must compile as torch's hipify transcodes it, too.

    Raises:
        SystemExit: it does not compile in the end.
    """
    from fastpt_lab import Session

    turns: list[dict[str, Any]] = []

    def remember(step: GreenStep) -> None:
        if step.applied is not None:
            turns.append(_turn(step, folder))

    session = Session(folder, include_dirs=tuple(include_dirs), defines=tuple(defines))
    report = session.until_green(unsafe=True, on_step=remember)
    if not report.green:
        raise SystemExit(f"{folder.name}: {report.first_error}")
    return turns


def _turn(step: GreenStep, root: Path) -> dict[str, Any]:
    said, done = step.error, step.tried[-1]
    return {
        "message": said.message,
        "code": said.code,
        "location": _written(said.location, root),
        "related": [
            {"message": r.message, "location": _written(r.location, root)} for r in said.related
        ],
        "rule": done.rule,
        "title": done.title,
    }


def _written(location: Location | None, root: Path) -> list[Any] | None:
    # Places in the compiler's own headers are none to a rule.
    if location is None or not location.path.is_relative_to(root):
        return None
    at = location.range
    places = (at.start.line, at.start.character, at.end.line, at.end.character)
    return [location.path.relative_to(root).as_posix(), *places]


def _location(written: list[Any] | None) -> Location | None:
    if written is None:
        return None
    path, *at = written
    places = Range(start=Position(*at[:2]), end=Position(*at[2:]))
    return Location(path=Path(path), range=places)


def replayed(texts: dict[Path, Document], answers: Answers) -> dict[Path, Document]:
    """Return the kernels as the rules write them today for what the compiler said then.

    Raises:
        AssertionError: the rules no longer offer what was taken.
    """
    texts = dict(texts)
    for turn in json.loads(TURNS.read_text(encoding="utf-8")):
        related = tuple(
            Related(message=r["message"], location=_location(r["location"]))
            for r in turn["related"]
        )
        said = Diagnostic(
            location=_location(turn["location"]),
            severity=Severity.ERROR,
            message=turn["message"],
            source="clang",
            code=turn["code"],
            related=related,
        )
        offered = actions_for((said,), Originals(texts), answers)
        wanted = (turn["rule"], turn["title"])
        taken = next((a for a in offered if (a.rule, a.title) == wanted), None)
        assert taken is not None, f"{turn['message']}: none of the actions is {wanted}"
        assert taken.edit is not None, wanted
        for change in taken.edit.documents:
            texts[change.path] = texts[change.path].apply(change.edits)
    return texts


def kernels() -> dict[Path, Document]:
    """Return every kernel before the port, and what the kernels include."""
    sources = [path for folder in FOLDERS for path in sorted(folder.iterdir())]
    sources += [EXAMPLE / name for name in FROM_EXAMPLE]
    return {Path(path.name): read(path) for path in sources}


def _with_answers() -> dict[str, object]:
    """Ask the installed stack all that the rules want to know."""
    from fastpt_lab.build.stack import ProbedStack
    from fastpt_lab.build.toolchain import find_toolchain

    real = ProbedStack(find_toolchain(architectures=["gfx906"]), FLAGS, cwd=HERE)

    class Recorder(Answers):
        def _answer(self, *question: str) -> object:
            key = "|".join(("", *question))
            if key not in self.recorded:
                self.recorded[key] = getattr(real, question[0])(*question[1:])
            return self.recorded[key]

    recorder = Recorder({})
    replayed(kernels(), recorder)
    return recorder.recorded


def main() -> None:
    """Port, and keep what came of it."""
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name).resolve() / folder.name for folder in FOLDERS]
        first, newer, halves = folders
        originals(first)
        originals_alone("kernels_6_2", newer)
        originals_alone("kernels_halves", halves)
        turns = [
            *ported(first),
            *ported(newer, include_dirs=(str(STUBS / "warpsync"),)),
            *ported(halves),
            *ported(halves, defines=AS_TORCH_BUILDS),
        ]
        shutil.rmtree(FIXED, ignore_errors=True)
        FIXED.mkdir()
        for path in kernels():
            made = next(folder / path for folder in folders if (folder / path).exists())
            shutil.copy(made, FIXED / path)
    TURNS.write_text(json.dumps(turns, indent=1, ensure_ascii=False) + "\n", "utf-8")
    answers = json.dumps(_with_answers(), indent=1, sort_keys=True)
    STACK.write_text(answers + "\n", "utf-8")


if __name__ == "__main__":
    main()
