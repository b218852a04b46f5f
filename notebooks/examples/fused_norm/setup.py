"""Build fused_norm._C; under a HIP torch, CUDAExtension transcodes the sources itself."""

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

SOURCES = [
    "csrc/fused_norm.cpp",
    "csrc/layer_norm_forward.cu",
    "csrc/layer_norm_backward.cu",
    "csrc/mlp_cuda.cu",
]

setup(
    ext_modules=[
        CUDAExtension(
            name="fused_norm._C",
            sources=SOURCES,
            extra_compile_args={"cxx": ["-O3", "-std=c++17"], "nvcc": ["-O3", "-std=c++17"]},
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
