from __future__ import annotations

from fastpt_lab.build.versions import dtk_version, parse_versions

DEBIAN = """\
HIP version: 5.2.21153-0
Debian clang version 15.0.6
Target: x86_64-pc-linux-gnu
Thread model: posix
InstalledDir: /usr/bin
"""

DTK = """\
HIP version: 6.3.26113-0
dcc version: 25.10.0-0
clang version 17.0.0
Target: x86_64-unknown-linux-gnu
Thread model: posix
InstalledDir: /opt/dtk-26.04/llvm/bin
"""

TRACEBACK = """\
Traceback (most recent call last):
  File "/usr/bin/rocm_agent_enumerator", line 257, in <module>
    main()
FileNotFoundError: [Errno 2] No such file or directory: '/sys/class/kfd/kfd/topology/nodes/'
"""


def test_debian() -> None:
    found = parse_versions(DEBIAN)
    assert (found.hip, found.hip_text, found.clang) == ((5, 2), "5.2.21153-0", "15.0.6")
    assert (found.dcc, found.installed_dir, found.nvidia) == ("", "/usr/bin", False)


def test_dtk_names_its_own_compiler() -> None:
    found = parse_versions(DTK)
    assert (found.hip, found.dcc, found.clang) == ((6, 3), "25.10.0-0", "17.0.0")
    assert found.installed_dir == "/opt/dtk-26.04/llvm/bin"


def test_traceback_of_the_enumerator_is_no_version() -> None:
    assert parse_versions(TRACEBACK + DEBIAN) == parse_versions(DEBIAN)


def test_nvidia_platform_is_seen() -> None:
    text = "HIP version: 5.2.21153-0\nnvcc: NVIDIA (R) Cuda compiler driver\n"
    assert parse_versions(text).nvidia


def test_unknown_text_has_no_version() -> None:
    found = parse_versions("hello\n")
    assert found.hip is None
    assert found.clang == ""


def test_dtk_number_from_its_file_or_its_folder() -> None:
    assert dtk_version("25.04.4\n", "/opt/dtk-25.04.4") == "25.04.4"
    assert dtk_version("", "/opt/dtk-25.04.2") == "25.04.2"
    assert dtk_version("26.04", "/opt/dtk") == "26.04"
    assert dtk_version("5.7.0", "/opt/rocm-5.7.0") == ""
    assert dtk_version("", "/usr") == ""
    assert dtk_version("unreadable", "/opt/dtk-25.04.2") == "25.04.2"
