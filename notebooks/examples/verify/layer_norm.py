"""The fused layer norm against plain torch: what `%fastpt_verify` reads."""

from fused_norm import functional
from fused_norm import reference as plain

op = functional.layer_norm
reference = plain.layer_norm
inputs = ("n", 1000), (1000,), (1000,)
reduction = 1000  # each row is summed
real = 8192
dtypes = ("float32", "float16", "bfloat16", "float64")
