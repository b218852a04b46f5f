"""Names of generated files, exactly as torch's hipify gives them to extensions."""

from __future__ import annotations

import posixpath


def hip_path(relative: str) -> str:
    """Return the output name of a source, both relative to the project and with `/`.

    `.cu` becomes `.hip`; `cuda`, `CUDA` and `THC` become `hip`, `HIP` and `THH` wherever they
    stand in the folders or the stem; a path that stays the same gets `_hip`.

    *Source*: torch 2.13, utils/hipify/hipify_python.py, `get_hip_file_path` with
    `is_pytorch_extension=True`.

    >>> hip_path("csrc/fused_adam_cuda_kernel.cu")
    'csrc/fused_adam_hip_kernel.hip'
    >>> hip_path("csrc/type_shim.h")
    'csrc/type_shim_hip.h'
    """
    folder, name = posixpath.split(relative)
    stem, suffix = posixpath.splitext(name)
    new_suffix = ".hip" if suffix == ".cu" else suffix
    new_folder = _hip_words(folder)
    if new_folder == "caffe2/core":
        new_stem = stem.replace("cuda", "hip").replace("CUDA", "HIP")
    else:
        new_stem = _hip_words(stem)
    if new_folder == folder and new_stem + new_suffix == name:
        new_stem += "_hip"
    return posixpath.join(new_folder, new_stem + new_suffix)


def _hip_words(text: str) -> str:
    return text.replace("cuda", "hip").replace("CUDA", "HIP").replace("THC", "THH")


def base_name_variant(relative: str) -> str:
    """Return the other name seen in the field, where only the suffix changes.

    A DTK run was reported to give `fused_dense_cuda.hip` for `fused_dense_cuda.cu`; whoever
    looks for the output of a foreign engine must try both.
    """
    stem, suffix = posixpath.splitext(relative)
    return stem + ".hip" if suffix == ".cu" else relative
