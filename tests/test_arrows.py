"""The arrows of docs/architecture.md are guarded: make lint refuses imports against them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from subprocess import run

import pytest

ROOT = Path(__file__).parent.parent

AGAINST_THE_ARROWS = (
    ("games.puyoseat", "nyaa.rules.grid"),
    ("games.nyaalook", "puyo.rules.field"),
    ("games.filed.puyo", "games.nyaaseat"),
    ("games.filed.read", "games.filed.puyo"),
    ("games.ramseat", "puyo.rules.pair"),
    ("games.route", "games.tsu.game"),
    ("play.endless", "games.puyoseat"),
    ("play.agreement", "nyaa.forecast"),
    ("session.session", "puyo.rules.file"),
    ("record.dump", "puyo.rules.field"),
    ("ramtools.searching", "nyaa.rules.grid"),
    ("experiments.rig", "puyo.rules.profile"),
    ("overlay.panel", "games.nyaalook"),
    ("players", "puyo.search.clairvoyant"),
    ("puyo.search.chain.search", "puyo.search.versus.player"),
    ("puyo.search.twoply", "puyo.search.chain.player"),
    ("puyo.rules.resolve", "puyo.search.twoply"),
    ("nyaa.search.twoply", "nyaa.sim.match"),
    ("puyo.forecast", "ram.bound"),
    ("falling.series", "console.buttons"),
    ("console.console", "games.menu"),
    ("jit.library", "puyo.kernels.bits"),
    ("ram.values", "games.protocols"),
    ("lab.selfplay", "cli.output"),
)


def test_imports_against_the_arrows_are_refused(tmp_path: Path) -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    if not linter.is_file():
        pytest.skip("import-linter is not installed")
    package = tmp_path / "ochibot"
    shutil.copytree(ROOT / "bot" / "ochibot", package, ignore=shutil.ignore_patterns("__pycache__"))
    for importer, imported in AGAINST_THE_ARROWS:
        file = package / f"{importer.replace('.', '/')}.py"
        assert (package / f"{imported.replace('.', '/')}.py").is_file()
        # a file's first line may be a docstring or a future import, so the import stands last
        file.write_text(file.read_text(encoding="utf-8") + f"\nimport ochibot.{imported}\n", encoding="utf-8")
    words = [str(linter), "--no-cache", "--config", str(ROOT / ".importlinter")]
    done = run(words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    said = " ".join(done.stdout.split())
    passed = [pair for pair in AGAINST_THE_ARROWS if "ochibot.{} -> ochibot.{} ".format(*pair) not in said]
    assert not passed
