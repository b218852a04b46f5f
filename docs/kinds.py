"""What the fix rules are about, for the tables of the README: each rule is of one kind."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """Rules about one subject, and how far what they offer can be trusted."""

    title: str
    title_zh: str
    rules: str
    trust: str
    trust_zh: str


KINDS = (
    Kind(
        "warp",
        "线程束（warp）",
        "activemask group-reduce launch-attributes match-sync reduce-sync sync-mask-width "
        "sync-shuffle sync-vote syncwarp",
        "safe where mask and width are proved, else needs a look",
        "能证明掩码和宽度时为安全，否则需人工确认",
    ),
    Kind(
        "BLAS, libraries",
        "BLAS 等库",
        "cucomplex enum-spelling gemm-computetype gemm-datatype math-mode",
        "read from the installed header, argument by argument",
        "逐个参数对照已安装的头文件",
    ),
    Kind(
        "C++",
        "C++",
        "ambiguous-operator cuda-arch-guard cuda-version-guard dispatch-type grid-constant "
        "host-device-call kernel-pointer launch-spelling missing-device-attribute "
        "platform-guard proxy-builtin "
        "redefinition texture-reference",
        "argued case by case",
        "逐例论证",
    ),
    Kind(
        "headers",
        "头文件",
        "bf16-header missing-header missing-std-header nvtx-range",
        "a guarded include, or advice",
        "带条件编译的 include，或只给建议",
    ),
    Kind(
        "half, intrinsics, PTX",
        "半精度、内建函数、PTX",
        "atomic-half braced-assignment cp-async device-intrinsic half-flags half-intrinsic "
        "half2-member inline-ptx",
        "proved by value where it can be",
        "可行时用数值证明",
    ),
    Kind(
        "compiling",
        "编译",
        "cmake-cuda cxx-standard device-library hip-platform host-unit nvcc-flags unknown-arch",
        "the exact flag or line to change",
        "给出要改的确切选项或行",
    ),
    Kind(
        "linking, loading, machine",
        "链接、加载、机器",
        "duplicate-hooks invalid-library missing-library missing-shared-object module-init "
        "no-device torch-build undefined-reference undefined-symbol",
        "advice: never done for you",
        "只给建议，绝不代为执行",
    ),
)


def kind_of(rule: str) -> Kind:
    """Return the kind of a rule.

    Raises:
        LookupError: nobody said which.
    """
    for kind in KINDS:
        if rule in kind.rules.split():
            return kind
    raise LookupError(f"say in docs/kinds.py of which kind the rule {rule} is")
