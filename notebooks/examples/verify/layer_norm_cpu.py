"""Plain torch in place of the extension, where there is no device; sums in float32, as it does."""

import torch
from fused_norm import reference as plain


def op(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    """Normalise each row as the kernel does: halves are widened, the result is rounded once."""
    wide = torch.promote_types(x.dtype, torch.float32)
    return plain.layer_norm(x.to(wide), gamma.to(wide), beta.to(wide)).to(x.dtype)


reference = plain.layer_norm
inputs = ("n", 100), (100,), (100,)
reduction = 100
sizes = (1, 64, 65)
real = 100
dtypes = ("float32", "float16", "bfloat16", "float64")
