"""Record the rule fixtures anew: `python tests/rules/record_fixtures.py [RULE…]`.

For each case torch's hipify transcodes it and hipcc compiles it; what the stack answers to the
rules goes to `stack.json`, what every rule offers to `offers.json`. With `--fixed` the fixed files of cases that have one are rewritten
from what the rules offer: read the difference before you commit it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from rule_bench import (
    FIXTURES,
    FLAGS,
    STUBS,
    Answers,
    Case,
    all_cases,
    hipcc,
    hipify_with_torch,
    read,
)
from rule_bench import scratch as scratch_of

from fastpt_lab.build.stack import ProbedStack
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.core.action import CodeAction
from fastpt_lab.rules import actions_for


class Recorder(Answers):
    """Ask the real stack and keep what it says."""

    def __init__(self, recorded: dict[str, object], case: Case) -> None:
        super().__init__(recorded, case.recorded_flags)
        toolchain = find_toolchain(architectures=["gfx906"])
        self.real = ProbedStack(toolchain, [*FLAGS, *case.flags], cwd=case.folder)

    def _answer(self, *question: str) -> object:
        key = "|".join((" ".join(self.case_flags), *question))
        if key not in self.recorded:
            self.recorded[key] = getattr(self.real, question[0])(*question[1:])
        return self.recorded[key]


def recode(path: Path, old: str, new: str) -> None:
    path.write_bytes(path.read_bytes().decode(old).encode(new))


def transcode_and_compile(case: Case) -> None:
    with tempfile.TemporaryDirectory() as name, scratch_of(case, Path(name), fixed=False) as at:
        encodings = {p.name: read(p).encoding for p in case.originals}
        # torch's hipify reads UTF-8 alone; what it makes goes back to the file's encoding.
        for name_of, encoding in encodings.items():
            recode(at / name_of, encoding, "utf-8")
        hipify_with_torch(at)
        for original in case.originals:
            made = at / case.generated(original).name
            if made.exists():
                recode(made, "utf-8", encodings[original.name])
                case.generated(original).write_bytes(made.read_bytes())
        _, log = hipcc(at / f"{case.name}.hip", *case.flags)
    log = log.replace(str(STUBS), "/stubs")
    (case.folder / f"{case.name}.log").write_text(log)


def first_edit(case: Case, recorded: dict[str, object]) -> CodeAction | None:
    actions = actions_for(case.diagnostics(), case.workspace(), Recorder(recorded, case))
    edits = [a for a in actions if a.edit and a.rule == case.rule]
    return next(iter(edits), None)


def main() -> None:
    names = {n for n in sys.argv[1:] if not n.startswith("-")}
    path = FIXTURES / "stack.json"
    recorded = json.loads(path.read_text()) if path.exists() and names else {}
    for case in all_cases():
        if names and case.rule not in names and case.id not in names:
            first_edit(case, recorded)
            continue
        if "--keep-logs" not in sys.argv:
            transcode_and_compile(case)
        action = first_edit(case, recorded)
        said = f"{action.applicability.word}: {action.title}" if action else "silent"
        sys.stderr.write(f"{case.id} {said}\n")
        if "--fixed" in sys.argv and case.name.startswith("silent"):
            assert action is None, f"{case.id} should be silent"
        elif "--fixed" in sys.argv and action is not None and action.edit is not None:
            for change in action.edit.documents:
                document = case.workspace().document(change.path)
                assert document is not None
                text = document.apply(change.edits).text
                case.fixed(change.path).write_bytes(text.encode(document.encoding))
    path.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n")
    from rule_offers import all_offers

    offers = json.dumps(all_offers(), indent=1, sort_keys=True, ensure_ascii=False)
    (FIXTURES / "offers.json").write_text(offers + "\n", "utf-8")


if __name__ == "__main__":
    main()
