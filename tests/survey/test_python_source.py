"""Python lints: what a DCU answers differently, what import touches, what enters unchecked."""

from __future__ import annotations

from pathlib import Path

import pytest
from survey_reading import unit_of

from fastpt_lab.core.survey import Lint
from fastpt_lab.core.text import Document
from fastpt_lab.survey.entry_points import (
    bindings,
    cpp_lints,
    entry_points,
    python_entry_lints,
)
from fastpt_lab.survey.python_source import may_matter, python_lints, python_tree

PATH = Path("/project/a.py")


def lints(text: str) -> list[Lint]:
    document = Document(text)
    tree = python_tree(document)
    assert tree is not None
    return list(python_lints(PATH, document, tree))


WRONG = {
    "version of CUDA": ("if torch.version.cuda is not None:\n    use()\n", True),
    "version of CUDA in a choice": ("fast = a if torch.version.cuda else b\n", True),
    "name of the device": ("ok = 'A100' in torch.cuda.get_device_name(0)\n", True),
    "name from properties": (
        "if torch.cuda.get_device_properties(0).name == 'NVIDIA A100': pass\n",
        True,
    ),
    "word of a platform": ("if config.platform == 'cuda':\n    pass\n", False),
    "compute capability": ("major = torch.cuda.get_device_capability()[0]\n", False),
    "tensor at import": ("EYE = torch.eye(4, device='cuda')\n", True),
    "moved at import": ("table = make().to('cuda:0')\n", True),
    "stream as default argument": ("def f(s=torch.cuda.Stream()):\n    pass\n", True),
    "in a class body": ("class A:\n    buffer = torch.zeros(1).cuda()\n", True),
    "in a branch at import": ("if ready():\n    torch.cuda.init()\n", True),
    "device object": ("x = torch.ones(2, device=torch.device('cuda', 0))\n", True),
}


@pytest.mark.parametrize(("text", "certain"), WRONG.values(), ids=WRONG.keys())
def test_found(text: str, certain: bool) -> None:
    (found,) = lints("import torch\n" + text)
    assert found.certain is certain
    assert found.suggestion
    place = found.diagnostic.location
    assert place is not None
    assert place.range.start.line >= 1


HARMLESS = {
    "device type": "if x.device.type == 'cuda':\n    pass\n",
    "availability": "if torch.cuda.is_available():\n    pass\n",
    "device without memory": "DEVICE = torch.device('cuda')\n",
    "in a function": "def f():\n    return torch.zeros(1, device='cuda')\n",
    "in a lambda": "make = lambda: torch.zeros(1).cuda()\n",
    "under main": "if __name__ == '__main__':\n    torch.zeros(1).cuda()\n",
    "on the host": "ZERO = torch.zeros(1)\n",
    "a word of its own": "if mode == 'cuda':\n    pass\n",
    "HIP version": "if torch.version.hip:\n    pass\n",
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS.keys())
def test_silent(text: str) -> None:
    assert lints("import torch\n" + text) == []


def test_places_count_characters_not_bytes() -> None:
    text = "名称 = '中文'; ok = torch.version.cuda if torch.version.cuda else 0\n"
    (found,) = lints(text)
    place = found.diagnostic.location
    assert place is not None
    assert place.range.start.character == text.rindex("torch.version")


def test_what_is_no_python_is_left_alone() -> None:
    assert python_tree(Document("print 'two'\n")) is None


CPP = """\
#include <torch/extension.h>
void launch(float* x, int n);
torch::Tensor raw(torch::Tensor x, const at::Tensor& scale) {
  launch(static_cast<float*>(x.data_ptr()), 4);
  return x;
}
static void check(const torch::Tensor& x) {
  TORCH_CHECK(x.is_cuda() && x.is_contiguous() && x.dim() == 2);
}
torch::Tensor safe(torch::Tensor x) {
  check(x);
  launch(x.data_ptr<float>(), x.size(0));
  return x;
}
int count(int n) { return n; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("raw_op", &raw, "no checks");
  m.def("safe_op", &safe);
  m.def("count", &count);
}
"""


def test_an_entry_point_without_checks_gets_them_suggested() -> None:
    units = [unit_of(CPP, "bind.cpp")]
    bound = bindings(units)
    assert bound == {"raw_op": "raw", "safe_op": "safe", "count": "count"}
    points = entry_points(units, bound)
    assert [point.name for point in points] == ["raw_op", "safe_op"]
    (found,) = cpp_lints(points)
    assert not found.certain
    wanted = "the device, the dtype, the shape, the contiguity of x, scale"
    assert wanted in found.diagnostic.message
    assert found.suggestion.splitlines()[-1] == (
        'TORCH_CHECK(x.is_contiguous(), "x must be contiguous");'
    )
    place = found.diagnostic.location
    assert place is not None
    assert place.range.start == (2, CPP.splitlines()[2].index("raw"))


def test_a_torch_library_binding_is_one_too() -> None:
    text = CPP.partition("PYBIND11_MODULE")[0] + (
        'TORCH_LIBRARY_IMPL(demo, CUDA, m) { m.impl("raw_op", TORCH_FN(raw)); }\n'
    )
    assert bindings([unit_of(text, "bind.cpp")]) == {"raw_op": "raw"}


WRAPPER = """\
import torch
from adder import _C

def careful(x):
    assert x.is_cuda and x.dtype == torch.float32 and x.dim() == 2
    return _C.unknown_op(x.contiguous())

def careless(x, n):
    return _C.unknown_op(x, n)

def bound(x):
    return _C.raw_op(x)
"""


def test_a_python_wrapper_is_asked_only_where_no_cpp_side_is_known() -> None:
    document = Document(WRAPPER)
    tree = python_tree(document)
    assert tree is not None
    found = list(
        python_entry_lints(PATH, document, tree, frozenset({"adder._C"}), frozenset({"raw_op"}))
    )
    (only,) = found
    assert "careless hands x, n to _C.unknown_op" in only.diagnostic.message
    assert "x = x.contiguous()" in only.suggestion


def test_a_script_may_use_the_device_as_it_likes() -> None:
    document = Document("import torch\ntorch.zeros(1).cuda()\n")
    tree = python_tree(document)
    assert tree is not None
    (only,) = python_lints(PATH, document, tree, imported=False)
    assert not only.certain


def test_files_without_a_telling_word_are_not_parsed() -> None:
    assert not may_matter("import math\nprint(math.pi)\n", frozenset({"adder._C"}))
    assert may_matter("from adder import _C\n", frozenset({"adder._C"}))
    assert may_matter("x.cuda()\n", frozenset())
