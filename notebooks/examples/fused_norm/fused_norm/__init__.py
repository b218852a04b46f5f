"""Fused layer norm and MLP for GPU tensors.

`fused_norm.functional` and `fused_norm.modules` need the built extension;
`fused_norm.reference` is plain torch and runs anywhere.
"""
