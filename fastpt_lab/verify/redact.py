"""Keep secrets in: what is shown, saved or sent holds no account, key or internal address.

Names of variables pass by a list of those that may (`REPORTED`); text goes through patterns,
because a secret also stands in command lines, tracebacks, download links and the value of a
harmless variable. Placeholders are stable, so that two records can be compared.
"""

from __future__ import annotations

import os
import re
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.verify.secret_patterns import RULES, is_secret_name

if TYPE_CHECKING:
    from collections.abc import Mapping

REPORTED = (
    "AMD_LOG_LEVEL",
    "AMD_SERIALIZE_KERNEL",
    "CONDA_DEFAULT_ENV",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES",
    "DCU_VISIBLE_DEVICES",
    "DTKROOT",
    "DTK_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "HIPCC_COMPILE_FLAGS_APPEND",
    "HIPCC_VERBOSE",
    "HIP_LAUNCH_BLOCKING",
    "HIP_PATH",
    "HIP_PLATFORM",
    "HIP_VISIBLE_DEVICES",
    "HSA_OVERRIDE_GFX_VERSION",
    "HYHAL_PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LIBRARY_PATH",
    "MAX_JOBS",
    "MIOPEN_USER_CACHE_PATH",
    "MIOPEN_USER_DB_PATH",
    "OMP_NUM_THREADS",
    "PATH",
    "PYTHONPATH",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_HIP_ALLOC_CONF",
    "PYTORCH_ROCM_ARCH",
    "ROCM_HOME",
    "ROCM_PATH",
    "ROCR_VISIBLE_DEVICES",
    "TORCH_EXTENSIONS_DIR",
    "VIRTUAL_ENV",
)
"""Variables that decide how an extension builds and runs; no other leaves this machine."""

_SHORTEST_VALUE = 6
"""A shorter value of a secret variable is not looked for in text: it would hit words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redactor:
    """Takes secrets and personal names out of text.

    Attributes:
        secrets: `(variable, value)` of the secret variables known here.
        home, user, host: replaced where they stand as whole words; "" if not known.
    """

    secrets: tuple[tuple[str, str], ...] = ()
    home: str = ""
    user: str = ""
    host: str = ""

    @classmethod
    def of(cls, env: Mapping[str, str], *, host: str | None = None) -> Redactor:
        """Learn from an environment which values must never appear."""
        known = [
            (name, piece)
            for name, value in env.items()
            if is_secret_name(name)
            # Of a key of many lines, each line alone gives it away.
            for piece in {value, *value.splitlines()}
            if len(piece.strip()) >= _SHORTEST_VALUE
        ]
        known.sort(key=lambda pair: (-len(pair[1]), pair))
        return cls(
            secrets=tuple(known),
            home=env.get("HOME", "").rstrip("/"),
            user=env.get("USER") or env.get("LOGNAME") or "",
            host=socket.gethostname() if host is None else host,
        )

    def text(self, text: str) -> str:
        """Return `text` without secrets. Done twice, it changes nothing more."""
        for name, value in self.secrets:
            text = text.replace(value, f"<redacted:{name}>")
        for rule in RULES:
            text = rule(text)
        return self._personal(text)

    def value(self, name: str, value: str) -> str:
        """Return the value of a variable, whole or redacted, or only a placeholder."""
        return f"<redacted:{name}>" if is_secret_name(name) else self.text(value)

    def _personal(self, text: str) -> str:
        if len(self.home) > 1:
            text = re.sub(re.escape(self.home) + r"(?![\w.-])", "~", text)
        text = re.sub(
            r"(?:(?<=\\[nrt])|(?<![\w./]))/(home|Users)/(?!<)[^/\s:'\"]+", r"/\1/<user>", text
        )
        for word, label in ((self.user, "<user>"), (self.host, "<host>")):
            # `root` and `vm` are no one's name, and stand in many words of tools.
            if len(word) > 2 and word not in ("root", "localhost"):
                text = re.sub(rf"(?<![\w<-]){re.escape(word)}(?![\w>-])", label, text)
        return text


def redact(text: str, env: Mapping[str, str] | None = None) -> str:
    """Return `text` without secrets, with those of this process's environment in mind."""
    return Redactor.of(os.environ if env is None else env).text(text)
