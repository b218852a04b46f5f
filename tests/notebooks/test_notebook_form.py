"""How a notebook is written: short cells, no functions, no outputs, ids that stay."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
MOST_LINES = 10


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> nbformat.NotebookNode:
    return nbformat.read(request.param, as_version=4)


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_is_valid_and_names_its_cells(notebook: nbformat.NotebookNode) -> None:
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)


def test_every_cell_is_short_and_defines_nothing(notebook: nbformat.NotebookNode) -> None:
    for cell in code_cells(notebook):
        lines = cell.source.splitlines()
        assert len(lines) <= MOST_LINES, cell.id
        tree = ast.parse("\n".join("" if line.startswith("%") else line for line in lines))
        kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda
        assert not any(isinstance(node, kinds) for node in ast.walk(tree)), cell.id


def test_no_output_is_committed(notebook: nbformat.NotebookNode) -> None:
    for cell in code_cells(notebook):
        assert not cell.outputs, cell.id
        assert cell.execution_count is None, cell.id


def test_links_lead_somewhere(notebook: nbformat.NotebookNode) -> None:
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#:]+)\)", cell.source):
                assert (NOTEBOOKS[0].parent / target).exists(), target
