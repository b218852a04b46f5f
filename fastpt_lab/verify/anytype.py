"""Names for what torch gives: it is imported late, so its types are not known to the checker."""

from __future__ import annotations

from typing import Any, TypeAlias

Torch: TypeAlias = Any
"""The module."""

Tensor: TypeAlias = Any
"""A tensor."""

Value: TypeAlias = Any
"""What a user's function takes or gives: a tensor, several, or anything else."""
