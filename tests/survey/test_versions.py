"""Versions: every spelling seen, what fits, what does not, and that unknown is never ok."""

from __future__ import annotations

from pathlib import Path

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.survey import StackFacts
from fastpt_lab.survey.tables import load_tables
from fastpt_lab.survey.versions import (
    at_least,
    same_dtk,
    version_checks,
)


def test_a_missing_patch_level_fits_any() -> None:
    assert same_dtk("25.04", "25.04.2")
    assert not same_dtk("25.04.1", "25.04.2")


def test_versions_are_numbers_not_text() -> None:
    assert at_least("2.10.0", "2.4.1") is True
    assert at_least("2.4.0+das.dtk25041", "2.4.1") is False
    assert at_least(None, "2") is None


def statuses(facts: StackFacts, root: Path) -> dict[str, CheckStatus]:
    return {check.id: check.status for check in version_checks(facts, load_tables(root))}


def test_a_stack_that_was_seen(tmp_path: Path) -> None:
    seen = statuses(
        StackFacts(
            dtk="25.04.2",
            torch="2.5.1+das.opt1.dtk25042",
            torch_hip="6.3.25211",
            fastpt="2.0.1",
            python="3.10.12",
            glibc="2.28",
        ),
        tmp_path,
    )
    assert seen.pop("python") is CheckStatus.UNKNOWN, "no table lists Python versions"
    assert set(seen.values()) == {CheckStatus.OK}


def test_nothing_known_is_unknown_everywhere(tmp_path: Path) -> None:
    assert set(statuses(StackFacts(), tmp_path).values()) == {CheckStatus.UNKNOWN}


def test_torch_of_another_dtk_fails_and_names_both(tmp_path: Path) -> None:
    facts = StackFacts(dtk="26.04", torch="2.5.1+das.opt1.dtk25042", torch_hip="6.3")
    check = next(
        c for c in version_checks(facts, load_tables(tmp_path)) if c.id == "dtk-of-torch"
    )
    assert check.status is CheckStatus.FAIL
    assert "25.04.2" in check.why
    assert "26.04" in check.next_step


def test_a_replaced_torch_is_seen(tmp_path: Path) -> None:
    assert statuses(StackFacts(dtk="25.04.2", torch="2.5.1"), tmp_path)["torch-is-hip"] is (
        CheckStatus.FAIL
    )


def test_a_pair_that_no_table_lists_is_unknown_until_the_user_lists_it(tmp_path: Path) -> None:
    facts = StackFacts(dtk="27.04", torch="3.0.0", python="3.12.1")
    assert statuses(facts, tmp_path)["dtk-with-torch"] is CheckStatus.UNKNOWN
    (tmp_path / "fastpt-tables.toml").write_text(
        '[[stack]]\ndtk = "27.04"\ntorch = ["3.0"]\npython = ["3.12"]\nsource = "our cluster"\n'
    )
    after = {c.id: c for c in version_checks(facts, load_tables(tmp_path))}
    assert after["dtk-with-torch"].status is CheckStatus.OK
    assert after["dtk-with-torch"].evidence[0].output == "our cluster"
    assert after["python"].status is CheckStatus.OK


def test_an_old_fastpt_cannot_build_without_transcoding(tmp_path: Path) -> None:
    assert (
        statuses(StackFacts(fastpt="1.2.0"), tmp_path)["gpufusion-fastpt"] is CheckStatus.FAIL
    )


def test_glibc_decides_the_wheels_that_fit(tmp_path: Path) -> None:
    assert statuses(StackFacts(glibc="2.12"), tmp_path)["glibc"] is CheckStatus.FAIL
    assert statuses(StackFacts(glibc="2.17"), tmp_path)["glibc"] is CheckStatus.OK
