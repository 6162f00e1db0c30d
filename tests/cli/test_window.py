"""``--window`` and ``versus`` as commands: under SDL's dummy drivers, and where a window can't be opened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygame", reason="the window's tests need pygame-ce: pip install 'ochibot[window]'")

PUNCTUAL = """
import importlib.machinery, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name != "ochibot.play.background":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        run = spec.loader.exec_module
        def loaded(module):
            run(module)
            player = module.ThinkingPlayer
            done = player.done
            player.done = lambda self: (self._coming is None or self._coming.exception(600), done(self))[1]
        spec.loader.exec_module = loaded
        return spec
sys.meta_path.insert(0, Finder())
"""
"""A sitecustomize.py by which a process waits until a decision of its thread is made (see tests.play.punctual)."""

DUMMY = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}


def ochibot(*args: object, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", *DUMMY)}
    return subprocess.run(
        [sys.executable, "-m", "ochibot", *map(str, args)], capture_output=True, text=True, timeout=600, env=clean | env
    )


def refused(*args: object, **env: str) -> str:
    done = ochibot(*args, **env)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    # whichever test runs first may have to compile the kernels, which is reported
    (line,) = [line for line in done.stderr.strip().splitlines() if not line.startswith("compil")]
    assert line.startswith("ochibot: ")
    return line


@pytest.mark.parametrize("command", [("play", "--window"), ("battle", "--window"), ("versus",)])
def test_no_display(command: tuple[str, ...]) -> None:
    line = refused(*command)
    assert "no display" in line
    assert "without --window" in line


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is asked for on Linux only")
def test_a_display_that_does_not_answer() -> None:
    assert "no display" in refused("play", "--window", DISPLAY=":4711")


def test_without_pygame_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'pygame' else find(name, *more)\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    assert "ochibot[window]" in refused("play", "--window", PYTHONPATH=path, **DUMMY)


def test_a_keys_file_with_a_mistake(tmp_path: Path) -> None:
    keys = tmp_path / "keys.yaml"
    keys.write_text("window: {pause: [x]}\n")
    line = refused("versus", "--keys", keys, **DUMMY)
    assert str(keys) in line
    assert "'x' is given to both pad.a and window.pause" in line


@pytest.mark.long
def test_the_same_seed_plays_the_same_game_in_the_window(tmp_path: Path) -> None:
    """After two seconds of play to the clock, RAM equals that of the headless run.

    On a busy machine, a decision from the background may miss the first frame under control, and the game would then
    differ. So the process waits for each decision.
    """
    common = ("play", "--seed", 21, "--frames", 120, "--colors", 5, "--json")

    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(PUNCTUAL)
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])

    def report(name: str, *extra: str) -> dict[str, object]:
        target = tmp_path / name
        done = ochibot(*common, target, *extra, **DUMMY, PYTHONPATH=path)
        assert done.returncode == 0, done.stderr
        assert ("frames to the clock" in done.stdout) is bool(extra)
        told: dict[str, object] = json.loads(target.read_text())
        return told

    headless = report("headless.json")
    shown = report("shown.json", "--window")
    assert float(str(shown["seconds"])) > 1.9
    assert shown["ram_sha256"] == headless["ram_sha256"]
