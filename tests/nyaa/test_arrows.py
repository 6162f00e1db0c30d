"""Which packages (rooms) of ``ochibot.nyaa`` may import which."""

from __future__ import annotations

import ast
from pathlib import Path

import ochibot
import pytest

PACKAGE = Path(ochibot.__file__).parent
SHARED = {"ochibot.data", "ochibot.errors", "ochibot.falling", "ochibot.quoting", "ochibot.wording", "ochibot.yamlfile"}
ARROWS = {
    "rules": SHARED,
    "kernels": {"ochibot.jit", "ochibot.nyaa.rules"},
    "calculator": SHARED | {"ochibot.nyaa.rules"},
    "sim": SHARED | {"ochibot.nyaa.rules"},
    "search": SHARED | {"ochibot.jit", "ochibot.nyaa.rules", "ochibot.nyaa.kernels"},
}
"""For each room, what it may import from besides itself."""


def imported(file: Path) -> set[str]:
    """The names that a file imports from ochibot, anywhere in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0
            found |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return {name for name in found if name.split(".")[0] == "ochibot"}


@pytest.mark.parametrize("room", ARROWS)
def test_a_room_imports_only_from_those_below_it(room: str) -> None:
    allowed = ARROWS[room] | {f"ochibot.nyaa.{room}"}
    for file in sorted((PACKAGE / "nyaa" / room).rglob("*.py")):
        for name in sorted(imported(file)):
            assert any(name.startswith(f"{one}.") for one in allowed), f"{file.name} imports {name}"


def test_nobody_inside_imports_through_the_public_face() -> None:
    names = {name.rsplit(".", 1)[1] for name in imported(PACKAGE / "nyaa" / "__init__.py")}
    for file in sorted(PACKAGE.rglob("*.py")):
        for name in imported(file):
            through = name.startswith("ochibot.nyaa.") and name.split(".")[2] in names
            assert not through, f"{file} imports {name}"
