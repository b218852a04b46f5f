"""Equal to torch's hipify but for the intended kinds of differences, on real sources."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections import Counter
from pathlib import Path

from needs import need_torch

from fastpt_lab.host.files import read_source
from fastpt_lab.host.project import Project
from fastpt_lab.transcode.compare import REASONS, Difference, Place, compare, count
from fastpt_lab.transcode.result import TranscodeOptions
from fastpt_lab.transcode.run import transcode

CASES = Path(__file__).parents[1] / "fixtures" / "cases"
EXAMPLES = Path(__file__).parents[2] / "notebooks" / "examples"


def differences(root: Path, out: Path, *, include_dirs: tuple[Path, ...] = ()) -> list[Place]:
    """Transcode the project with both engines and return where their outputs differ."""
    project = Project(root)
    own = transcode(project, (), TranscodeOptions(out=out / "lab", include_dirs=include_dirs))
    ours = {file.original: file for file in own.files}
    theirs = transcode(
        project,
        (),
        TranscodeOptions(engine="torch", out=out / "torch", include_dirs=include_dirs),
    )
    places: list[Place] = []
    for foreign in theirs.files:
        if foreign.status == "refused":
            continue
        mine = ours[foreign.original]
        if mine.generated != mine.original and foreign.generated != foreign.original:
            names = (
                mine.generated.relative_to(out / "lab"),
                foreign.generated.relative_to(out / "torch"),
            )
            assert names[0] == names[1]
        texts = (
            read_source(f).document.text
            for f in (foreign.original, mine.generated, foreign.generated)
        )
        places += compare(*texts, mine.notes)
    return places


def report(places: list[Place]) -> Counter[Difference]:
    counted = count(places)
    for kind, number in counted.most_common():
        sys.stdout.write(f"{number:6} {kind.value:20} {REASONS[kind]}\n")
    unknown = [place for place in places if place.kind is Difference.UNKNOWN]
    assert unknown == []
    return counted


@need_torch
def test_on_torchs_own_cuda_headers(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    include = Path(spec.origin).parent / "include"
    root = tmp_path / "include"
    for path in sorted(include.rglob("*")):
        relative = path.relative_to(include)
        if path.is_file() and "cuda" in str(relative).lower():
            (root / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, root / relative)
    counted = report(differences(root, tmp_path, include_dirs=(root,)))
    assert counted[Difference.LAUNCH] > 50
    assert counted[Difference.COMMENT_OR_STRING] > 50


@need_torch
def test_on_the_sources_of_the_cases_and_the_example(tmp_path: Path) -> None:
    root = tmp_path / "sources"
    for place in (CASES, EXAMPLES):
        for path in sorted(place.rglob("*")) if place.is_dir() else ():
            if path.suffix in {".cu", ".cuh", ".h"} and path.is_file():
                target = root / place.name / path.relative_to(place)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    counted = report(differences(root, tmp_path))
    assert counted[Difference.LAUNCH] > 5
