"""No planted secret comes through, alone, embedded, twice, or in any output of the room."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verify.bench import Bench
from verify.planted import FORMS, HARMLESS

from fastpt_lab.verify.redact import REPORTED, Redactor
from fastpt_lab.verify.secret_patterns import is_secret_name
from fastpt_lab.verify.snapshot import parse_snapshot, save_snapshot, snapshot

NOBODY = Redactor()
WORDS = st.text(
    alphabet=st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\"'"),
    max_size=40,
)


def test_there_are_sixty_forms() -> None:
    assert len(FORMS) >= 60


@pytest.mark.parametrize(("text", "secret"), FORMS)
def test_form(text: str, secret: str) -> None:
    clean = NOBODY.text(text)
    assert secret not in clean
    assert NOBODY.text(clean) == clean, "done twice, it changes nothing more"


@pytest.mark.parametrize(("text", "secret"), FORMS)
def test_form_inside_a_json_string(text: str, secret: str) -> None:
    """A log that quotes a log: line ends and quotes are written with a backslash."""
    inner = json.dumps({"error": f"before\n{text}\nafter"})
    for quoted in (inner, repr(f"before\n{text}\nafter"), json.dumps({"a": f"x\n{text}\ny"})):
        assert secret.replace('"', '\\"') not in NOBODY.text(quoted)
        assert secret not in NOBODY.text(quoted)


@pytest.mark.parametrize(("text", "secret"), FORMS)
def test_form_as_the_value_of_something_harmless(text: str, secret: str) -> None:
    assert secret not in NOBODY.text(f'note="{text}"')
    assert secret not in NOBODY.text(f"first {text}\nnote = {text}\n")


@given(form=st.sampled_from(FORMS), before=WORDS, after=WORDS)
@settings(max_examples=400, deadline=None)
def test_form_between_other_lines(form: tuple[str, str], before: str, after: str) -> None:
    text, secret = form
    if secret in before or secret in after:
        return
    assert secret not in NOBODY.text(f"{before}\n{text}\n{after}")
    assert secret not in NOBODY.text(f"{before} \t{text} \r\n{after}")


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text_stays(text: str) -> None:
    assert NOBODY.text(text) == text


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("API_KEY", True),
        ("apiKey", True),
        ("MONKEY", False),
        ("KEYBOARD_LAYOUT", False),
        ("PWD", False),
        ("OLDPWD", False),
        ("DB_PWD", True),
        ("AWS_REGION", True),
        ("PYTORCH_ROCM_ARCH", False),
        ("SSL_CERT_FILE", True),
        ("TOKENIZERS_PARALLELISM", False),
    ],
)
def test_names_by_whole_parts(name: str, secret: bool) -> None:
    assert is_secret_name(name) is secret


def test_no_reported_variable_is_a_secret_one() -> None:
    assert not [name for name in REPORTED if is_secret_name(name)]


def test_values_of_secret_variables_are_known_anywhere() -> None:
    """A value of no recognisable shape is still taken out of a log."""
    lines = "first line of it\nsecond line of it"
    redactor = Redactor.of({"MY_TOKEN": "plainword", "BIG_SECRET": lines, "X": "y"}, host="h")
    assert redactor.text("it says plainword here") == "it says <redacted:MY_TOKEN> here"
    assert "second line" not in redactor.text("only the second line of it leaked")


def test_people_and_machines() -> None:
    redactor = Redactor(home="/home/jdoe", user="jdoe", host="node17")
    assert redactor.text("/home/jdoe/ext on node17 by jdoe") == "~/ext on <host> by <user>"
    assert redactor.text("/home/other/x /home/jdoes") == "/home/<user>/x /home/<user>"
    assert redactor.text("jdoe2 node170") == "jdoe2 node170"
    root = Redactor(home="/root", user="root", host="vm")
    assert root.text("rootfs vmlinux root") == "rootfs vmlinux root"


@pytest.fixture
def leaky(tmp_path: Path) -> Bench:
    """A machine whose every tool, variable and package prints secrets."""
    bench = Bench(tmp_path)
    everything = "\n".join(text for text, _ in FORMS)
    for tool in ("rocminfo", "hy-smi", "hipcc", "hipconfig"):
        bench.tool(tool, everything, 1)
    bench.env.update(
        {
            "HIP_VISIBLE_DEVICES": "0",
            "LD_PRELOAD": "https://bob:S3CR3Turl@pypi.example.org/simple",
            "PYTHONPATH": "/home/jdoe/work/ext.so",
            "SOME_TOKEN": "unshapedvalue",
        }
    )
    found = {"step": "found", "origin": "x", "packages": {"torch": "1+" + FORMS[37][0]}}
    failed = {"step": "imported", "error": everything + " unshapedvalue"}
    bench.torch("".join(f"\x1e{json.dumps(r)}\n" for r in (found, failed)) + everything)
    return bench


def seen(text: str) -> list[str]:
    return [secret for _, secret in FORMS if secret in text] + (
        ["unshapedvalue"] if "unshapedvalue" in text else []
    )


def test_doctor_shows_none(leaky: Bench) -> None:
    for layer in ("device", "runtime", "framework", "application"):
        assert seen(repr(leaky.doctor(layer=layer))) == []


def test_snapshot_shows_none_at_capture_and_on_save(leaky: Bench, tmp_path: Path) -> None:
    command = "build " + "\n".join(text for text, _ in FORMS)
    record = snapshot(command=command, env=leaky.env, root=leaky.project, system=leaky.system,
                      python=leaky.python)  # fmt: skip
    assert seen(record.to_json() + record.to_markdown()) == []
    for name in ("s.json", "s.md"):
        save_snapshot(record, tmp_path / name, env=leaky.env)
        assert seen((tmp_path / name).read_text("utf-8")) == []
    assert parse_snapshot((tmp_path / "s.json").read_text("utf-8")).command == record.command
