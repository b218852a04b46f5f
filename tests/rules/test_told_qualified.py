"""Only a call of CUDA's own function is rewritten, however the words in front are spelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastpt_lab.core.text import Document
from fastpt_lab.rules.kit.rewrite import Form, judged_calls


def rewritten(text: str) -> list[str]:
    """The calls of `__f` that get a form, by their first argument."""
    forms = {"__f": lambda _call, arguments: Form(f"g({arguments[0]})", (), "the same")}
    judged = judged_calls(Path("/project/a.cu"), Document(text), forms)
    return [one.replacements[0].new for one in judged]


@pytest.mark.parametrize(
    "text",
    [
        "x = ns::__f(1);",
        "x = o.__f(1);",
        "x = o->__f(1);",
        "x = ns::/* own */__f(1);",
        "x = o->\\\n  __f(1);",
        "x = o. // own\n  __f(1);",
        "int __f(int x);",
        "__device__ __f(int x) { return x; }",
    ],
)
def test_what_another_owns_or_declares_stays(text: str) -> None:
    assert rewritten(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "// done.\n__f(1);",
        "x = /* o. */ __f(1);",
        "return __f(1);",
        "if (a) b(); else __f(1);",
        "x = a * __f(1);",
        "__f(1);",
        "x = (__f(1));",
        "#if A\nb();\n#endif\n__f(1);",
        "#define F __f(1)\n",
        "#ifdef A\n__f(1);\n#endif\n",
    ],
)
def test_a_call_is_one_whatever_a_comment_ends_in(text: str) -> None:
    assert rewritten(text) == ["g(1)"]
