"""``--window`` and ``versus`` as commands: under SDL's dummy drivers, and where a window can't be opened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygame", reason="the window's tests need pygame-ce: pip install 'ochibot[window]'")

DUMMY = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}


def ochibot(*args: object, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", *DUMMY)}
    return subprocess.run(
        [sys.executable, "-m", "ochibot", *map(str, args)], capture_output=True, text=True, timeout=120, env=clean | env
    )


def refused(*args: object, **env: str) -> str:
    done = ochibot(*args, **env)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    # whichever test runs first may have to compile the kernels, which is told
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


def test_the_same_seed_plays_the_same_game_in_the_window(tmp_path: Path) -> None:
    """Two seconds of play to the clock; the RAM afterwards is that of the headless run.

    A decision thought in the background may come too late for the first frame under control on a busy machine, which is
    another game then: so there are three tries.
    """
    common = ("play", "--seed", 21, "--frames", 120, "--colors", 5, "--json")

    def report(name: str, *extra: str) -> dict[str, object]:
        path = tmp_path / name
        done = ochibot(*common, path, *extra, **DUMMY)
        assert done.returncode == 0, done.stderr
        assert ("frames to the clock" in done.stdout) is bool(extra)
        told: dict[str, object] = json.loads(path.read_text())
        return told

    headless = report("headless.json")
    for number in range(3):
        shown = report(f"{number}.json", "--window")
        assert float(str(shown["seconds"])) > 1.9
        if shown["ram_sha256"] == headless["ram_sha256"]:
            return
    pytest.fail("the window's game was another one three times")
