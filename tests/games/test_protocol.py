"""The frame loop depends on no particular game."""

from __future__ import annotations

import ast
from pathlib import Path

PLAY = Path(__file__).resolve().parents[2] / "bot/ochibot/play"


def test_the_frame_loop_knows_no_title() -> None:
    """Of the games, ``ochibot.play`` imports only the Protocols. It imports nothing of ``puyo`` and ``nyaa``."""
    known = {"ochibot.games.protocols"}
    for path in sorted(PLAY.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name in known or not name.startswith(
                    ("ochibot.games", "ochibot.puyo", "ochibot.nyaa", "ochibot.puyo.search")
                ), path
