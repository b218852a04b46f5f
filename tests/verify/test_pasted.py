"""Every recorded output, pasted: the documented finding, its cause and the next step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verify.bench import SAMPLES, sample

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.verify.pasted import explain_output, recognise

OK, WARN, FAIL, SKIP, UNKNOWN = CheckStatus

FINDINGS = {
    "rocminfo_ok_gfx906_dcu": (OK, "1 found: gfx906", ""),
    "rocminfo_ok_gfx906_amd": (OK, "Radeon VII", ""),
    "rocminfo_ok_gfx936_dcu": (OK, "2 found: gfx936", ""),
    "rocminfo_no_permission": (FAIL, "Permission denied", "id -G"),
    "rocminfo_invalid_argument": (FAIL, "Invalid argument", "--device=/dev/kfd"),
    "rocminfo_no_device_node": (FAIL, "No such file", "--device=/dev/kfd"),
    "rocminfo_no_module": (FAIL, "NOT loaded", "modprobe"),
    "rocminfo_hsa_out_of_resources": (FAIL, "Cannot allocate memory", "dmesg"),
    "hysmi_json": (WARN, "81.7 % busy", "HIP_VISIBLE_DEVICES"),
    "hysmi_showmeminfo_text": (OK, "65,517 of 65,520 MiB free", ""),
    "hysmi_table_dtk24": (OK, "card 1", ""),
    "hysmi_table_dtk26": (WARN, "92 % of the memory", "HIP_VISIBLE_DEVICES"),
    "hysmi_table_na": (UNKNOWN, "N/A is no zero", "management device"),
    "rocmsmi_json_amd": (OK, "MiB free", ""),
    "rocmsmi_pids": (WARN, "python3 (1001)", "HIP_VISIBLE_DEVICES"),
    "rocmsmi_table_z100": (OK, "card 0", ""),
    "hipcc_version_debian": (OK, "HIP 5.2.21153-0, clang 15.0.6", ""),
    "hipcc_version_dtk2504": (OK, "/opt/dtk-25.04.2", ""),
    "hipcc_version_dtk26": (OK, "dcc 25.10.0-0", ""),
    "hipcc_version_nvidia_platform": (FAIL, "compiles for NVIDIA", "HIP_PLATFORM=amd"),
    "hipconfig_full_debian": (OK, "amd, by hipconfig", ""),
    "ldd_ok_dtk": (OK, "10 libraries", ""),
    "ldd_mixed_dtk": (FAIL, "/opt/rocm-5.7.1", "env.sh"),
    "ldd_not_found": (FAIL, "GLIBCXX_3.4.30", "libstdc++"),
    "ldd_r_undefined": (FAIL, "ext_fn", "_GLIBCXX_USE_CXX11_ABI"),
    "ldd_gpufusion": (OK, "5 libraries", ""),
    "ldd_hip_symbol_version": (FAIL, "hip_9.9", "DTK"),
    "collect_env_hip_dcu": (OK, "K100_AI (gfx928", ""),
    "collect_env_cpu": (FAIL, "a CPU build", "--no-deps"),
    "fastpt_C_ok": (OK, "DTK 25.04.2 and torch match", ""),
    "fastpt_E_mismatch": (FAIL, "wants 25.04.2", "25.04.4"),
    "import_errors": (FAIL, "libgalaxyhip.so.5", "env.sh"),
}


def test_every_sample_has_its_finding() -> None:
    assert sorted(FINDINGS) == sorted(path.stem for path in SAMPLES.glob("*.txt"))


@pytest.mark.parametrize("name", sorted(FINDINGS))
@pytest.mark.parametrize("dress", ["plain", "coloured", "windows"])
def test_finding(name: str, dress: str) -> None:
    text = sample(name)
    if dress == "coloured":
        text = "".join(f"\x1b[33m{line}\x1b[0m\n" for line in text.splitlines())
    if dress == "windows":
        text = text.replace("\n", "\r\n")
    status, word, step = FINDINGS[name]
    checks = explain_output(text)
    rank = [FAIL, UNKNOWN, WARN, OK]
    # Of two checks the finding is the one that the sample is about: a failure, else the first.
    shown = next((c for c in checks if c.status is FAIL), checks[0])
    assert (shown.status, word in shown.observed) == (status, True), checks
    assert step in shown.next_step
    assert all(c.status is OK or (c.why and c.next_step) for c in checks if c.status in rank)


def test_gpufusion_is_told_from_nvidia() -> None:
    runtime = explain_output(sample("ldd_gpufusion"))[1]
    assert "GPUFusion (DTK's CUDA libraries over HIP)" in runtime.observed


LINE_BY_LINE = ("ldd_", "collect_env_cpu", "import_errors")
"""Each line of these stands for itself: of a cut one, the lines that are left are judged."""

BAD = sorted(
    name
    for name, (status, _, _) in FINDINGS.items()
    if status is FAIL and not name.startswith(LINE_BY_LINE)
)


@given(name=st.sampled_from(sorted(FINDINGS)), start=st.floats(0, 1), end=st.floats(0, 1))
@settings(max_examples=300, deadline=None)
def test_a_piece_of_an_output_never_crashes(name: str, start: float, end: float) -> None:
    text = sample(name)
    explain_output(text[int(start * len(text)) : int(end * len(text))])


@pytest.mark.parametrize("name", BAD)
def test_no_beginning_of_a_bad_output_is_good(name: str) -> None:
    """A cut output that lost its bad line may be unknown or silent about it, never all well."""
    text = sample(name)
    for cut in range(0, len(text), 3):
        for check in explain_output(text[:cut]):
            assert check.status is not OK or check.id == "hipcc", (cut, check)


@pytest.mark.parametrize(
    "name", ["rocminfo_ok_gfx936_dcu", "fastpt_C_ok", "collect_env_hip_dcu"]
)
def test_a_cut_good_output_is_not_ok(name: str) -> None:
    text = sample(name)
    needed = {
        "rocminfo": "*** Done",
        "fastpt": "matches the",
        "collect": "Is CUDA available: T",
    }
    limit = text.index(needed[name.split("_")[0]])
    for cut in range(0, limit, 61):
        checks = explain_output(text[:cut])
        assert not checks or checks[0].status is not OK, cut


@pytest.mark.parametrize("name", sorted(FINDINGS))
def test_unknown_versions_do_not_become_ok(name: str) -> None:
    """Numbers of a release that nobody has seen: the parsers say what they see, or nothing."""
    import re

    strange = re.sub(r"\d+\.\d+\.\d+", "x.y.z", sample(name))
    for check in explain_output(strange):
        if check.id == "hipcc":
            assert check.status is not OK


@given(text=st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_no_good_news(text: str) -> None:
    assert not [c for c in explain_output(text) if c.status is OK]


def test_what_is_not_known_is_not_explained() -> None:
    assert recognise("hello world") == ""
    assert explain_output("hello world") == ()
