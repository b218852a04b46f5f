"""FastPT Lab: port a CUDA PyTorch extension to HIP from one notebook."""

__version__ = "0.1.0"
