"""Read what `hipconfig --full` prints: the platform that hipcc will compile for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.verify.parsers.plain import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Hipconfig:
    """The configuration; "" for what is not printed."""

    version: str = ""
    platform: str = ""
    compiler: str = ""
    hip_path: str = ""
    rocm_path: str = ""
    cpp_config: str = ""


def parse_hipconfig(text: str) -> Hipconfig:
    """Read the output of `hipconfig --full`."""
    facts: dict[str, str] = {}
    for key, value in re.findall(
        r"^([A-Za-z_ ]+?)[ \t]*:[ \t]*(.*?)[ \t]*$", plain(text), re.MULTILINE
    ):
        facts.setdefault(key.strip().upper(), value)
    platform = facts.get("HIP_PLATFORM", "")
    return Hipconfig(
        version=facts.get("HIP VERSION", ""),
        # HIP before 4.3 spells the platforms after their compilers.
        platform={"hcc": "amd", "nvcc": "nvidia"}.get(platform, platform),
        compiler=facts.get("HIP_COMPILER", ""),
        hip_path=facts.get("HIP_PATH", ""),
        rocm_path=facts.get("ROCM_PATH", ""),
        cpp_config=facts.get("CPP_CONFIG", ""),
    )
