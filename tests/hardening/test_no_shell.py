"""No text ever reaches a shell: the calls that would take it there are nowhere in the package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import fastpt_lab

PACKAGE = Path(fastpt_lab.__file__).parent
SHELLS = {
    *("os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"),
    *("asyncio.create_subprocess_shell", "pty.spawn", "commands.getoutput"),
    *("pickle.load", "pickle.loads", "marshal.loads", "eval", "exec", "yaml.load"),
    *("torch.load", "numpy.load", "shelve.open"),
}
# A child of our own is handed its work and hands back its result in a folder that only this
# user can enter; what `verify` is given to run is a definition that the user names.
ALLOWED = {
    ("host/executors.py", "pickle.loads"),
    ("host/taskchild.py", "pickle.load"),
    ("verify/definition.py", "exec"),
}


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def test_nothing_is_given_to_a_shell_or_run_as_code() -> None:
    found = set()
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 200
    for path in files:
        name = path.relative_to(PACKAGE).as_posix()
        for called, node in calls(ast.parse(path.read_bytes())):
            shell = any(
                word.arg == "shell"
                and not (isinstance(word.value, ast.Constant) and word.value.value is False)
                for word in node.keywords
            )
            if called in SHELLS or called.endswith("run_line_magic") or shell:
                found.add((name, called))
    assert found - ALLOWED == set()


def test_a_shell_that_is_started_gets_a_constant_script() -> None:
    """`bash -c` appears once, for FastPT's script that must be sourced; its text is a constant."""
    scripts = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) > 2:
                words = [ast.unparse(element) for element in node.elts]
                if "sh" in words[0] and "'-c'" in words:
                    script = node.elts[words.index("'-c'") + 1]
                    scripts.append((path.relative_to(PACKAGE).as_posix(), type(script)))
    assert len(scripts) <= 2
    assert all(kind in (ast.Constant, ast.Name) for _, kind in scripts), scripts
