"""What holds for every test."""

from __future__ import annotations

import os

# Tests read messages in English, whatever the locale of the machine.
os.environ["FASTPT_LANG"] = "en"
