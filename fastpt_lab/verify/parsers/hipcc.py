"""Read what `hipcc --version` prints: HIP, the compiler behind it, the tree it comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.verify.parsers.plain import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class HipccVersion:
    """One compiler.

    Attributes:
        hip: `5.2.21153-0`; "" where it is not printed.
        compiler: `clang`, or `nvcc` where hipcc chose NVIDIA's platform; "" if neither shows.
        compiler_version: `15.0.6`, `13.0`.
        dcc: version of Hygon's driver, "" where there is none.
        installed_dir: where the compiler lies.
    """

    hip: str = ""
    compiler: str = ""
    compiler_version: str = ""
    dcc: str = ""
    installed_dir: str = ""

    @property
    def release(self) -> tuple[int, int] | None:
        """Major and minor version of HIP."""
        return release_of(self.hip)


def release_of(version: str | None) -> tuple[int, int] | None:
    """Return major and minor of a version, None where it has none: `6.3.25211-0`."""
    match = re.match(r"\s*(\d{1,4})\.(\d{1,4})(?!\d)", version or "")
    return (int(match.group(1)), int(match.group(2))) if match else None


def parse_hipcc(text: str) -> HipccVersion:
    """Read the output of `hipcc --version`.

    A traceback of `rocm_agent_enumerator` between the lines is normal without a device
    (HIP 5.2.3) and means nothing here.
    """
    body = plain(text)

    def first(pattern: str) -> str:
        match = re.search(pattern, body, re.MULTILINE)
        return match.group(1).strip() if match else ""

    nvcc = "nvcc: NVIDIA" in body
    clang = first(r"^(?:\S+ )*clang version (\S+)")
    return HipccVersion(
        hip=first(r"^HIP version\s*:[ \t]*(\d\S*)"),
        compiler="nvcc" if nvcc else "clang" if clang else "",
        compiler_version=first(r"^Cuda compilation tools, release ([\d.]+)") if nvcc else clang,
        dcc=first(r"^dcc version:[ \t]*(\S+)"),
        installed_dir=first(r"^InstalledDir:[ \t]*(\S.*)$"),
    )
