"""The package imports, and type checks, on systems without the modules of Unix, such as Windows."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "bot/ochibot"
UNIX = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
BLOCKED = f"""
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys({sorted(UNIX)}))
import ochibot
for module in pkgutil.walk_packages(ochibot.__path__, "ochibot."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print("all")
"""


def imported_at_once(node: ast.AST) -> Iterator[str]:
    """The modules that are imported when the module itself is: not those that its functions import."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield child.module or ""
        elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from imported_at_once(child)


def test_no_module_imports_a_module_of_unix_at_once() -> None:
    """``ochibot.jit.kept`` imported fcntl, so nothing that searches could be imported on Windows."""
    found = {
        path.relative_to(PACKAGE).as_posix(): UNIX.intersection(imported_at_once(ast.parse(path.read_bytes())))
        for path in PACKAGE.rglob("*.py")
    }
    assert len(found) > 400
    assert not {path for path, modules in found.items() if modules}


@pytest.mark.long
def test_every_module_imports_without_the_modules_of_unix() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, timeout=600)
    assert done.stdout.endswith("all\n"), done.stderr


@pytest.mark.long
@pytest.mark.parametrize("platform", ["win32", pytest.param("darwin", marks=pytest.mark.proof)])
def test_the_types_are_right_on_other_systems(platform: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mypy", "--platform", platform, "--cache-dir", str(tmp_path), str(PACKAGE)]
    done = subprocess.run(words, cwd=PACKAGE.parents[1], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout
