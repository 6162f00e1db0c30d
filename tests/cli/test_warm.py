"""After ``ochibot warm``, ``ochibot play`` compiles nothing."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen, run

import pytest
from ochibot.cli import warm
from ochibot.errors import ConfigError, OchibotError
from ochibot.games import game_names
from ochibot.jit.kept import State
from ochibot.nyaa.bulk import LIBRARY

from tests.commands import ochibot


@pytest.mark.long
def test_after_it_no_game_compiles(tmp_path: Path) -> None:
    """Uses the user's own cache of kernels, so they are compiled only once for all tests."""
    # no time limit, because a loaded machine compiles for minutes
    done = run([sys.executable, "-m", "ochibot", "warm", "--json", "-"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    titles = json.loads(done.stdout)["titles"]
    assert [title["title"] for title in titles] == list(game_names())
    assert all(title["ready"] and title["seconds"] > 0 for title in titles)
    for title in titles:
        told = [line for line in done.stderr.splitlines() if line.startswith(f"{title['title']}: ")]
        # two processes may wait for each other's kernels, so only a title's last line is certain
        assert [line for line in told if ": ready after " in line] == told[-1:]
    again = json.loads(ochibot("warm", "--quiet", "--json", "-").stdout)["titles"]
    assert [title["compiled"] for title in again] == [[] for _ in titles]
    report = str(tmp_path / "report.json")
    for line in (
        "play puyo --pieces 1 --seed 1",
        "play tsu --clairvoyant --pieces 1 --seed 1",
        "play tsu --player chain --pieces 1 --seed 1",
        "play tsu --player versus --pieces 1 --seed 1",
        "play nyaa --pieces 1 --seed 1",
        "play nyaa --player nyaa_beam --pieces 1 --seed 1",
        f"selfplay --pieces 1000 --seed 1 -o {tmp_path}/lab",
        f"deal --generator tsu --find 'RR RP GY' --range 0-0xffff --checkpoint {tmp_path}/found.npz",
    ):
        done = ochibot(*shlex.split(line), "--json", report)
        assert done.returncode == 0, done.stderr
        assert "compiling" not in done.stderr, line


def test_every_shipped_player_is_warmed_that_takes_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    class Ready:
        def __init__(self, name: str) -> None:
            self.name = name

        def prepare(self) -> None:
            opened.append(self.name)

    def open_player(wanted: str | None, *_: object, **__: object) -> Ready:
        if wanted == "nyaa_first":
            raise ConfigError("not by these rules")
        return Ready(wanted or "its own")

    monkeypatch.setattr("ochibot.players.open_player", open_player)
    warm.warm("nyaa", quiet=True)
    assert opened == ["its own", "nyaa", "nyaa_beam"]


def test_one_game_alone() -> None:
    done = ochibot("warm", "nyaa")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert line.startswith("nyaa: ready after ")
    # the kernel for many boards is compiled, too, so the first file of boards doesn't wait for it
    assert LIBRARY.kept("values").read()[0] is State.WHOLE


def test_a_title_that_fails_is_named_and_keeps_no_other_from_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ochibot.games.game_names", lambda: ("no-such-game", "nyaa"))
    with pytest.raises(OchibotError, match=r"^not all was compiled for no-such-game; "):
        warm.warm()
    out, said = capfd.readouterr()
    first, second = out.splitlines()
    assert first == "no-such-game: not ready"
    assert second.startswith("nyaa: ready after ")
    assert "no-such-game: ochibot: there is no game 'no-such-game'" in said


def test_interrupted_while_it_compiles_it_leaves_no_process_and_nothing_half_kept(tmp_path: Path) -> None:
    """Only the command itself gets the signal, as from ``kill -INT``: it ends the process that compiles."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    words = [sys.executable, "-m", "ochibot", "warm"]
    with Popen(words, env=environment, stdout=PIPE, stderr=PIPE, text=True, start_new_session=True) as command:
        assert command.stderr is not None
        assert command.stderr.readline().partition(": ")[2].startswith("compiling the ")
        command.send_signal(signal.SIGINT)
        out, said = command.communicate()  # returns when the last process with these pipes has ended
    assert (command.returncode, out) == (130, "")
    assert said.splitlines()[-1] == "ochibot: interrupted"
    assert "compiled in" not in said
    # on a busy machine the signal may come when the second kernel has begun
    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} == {".lock"}


def test_what_it_refuses(tmp_path: Path) -> None:
    done = ochibot("warm", "no-such-game")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ochibot: there is no game 'no-such-game'; give one of ")
    assert len(done.stderr.splitlines()) == 1
    assert ochibot("warm", "--json", str(tmp_path)).returncode == 2


def test_it_is_listed() -> None:
    assert "warm" in ochibot("--help").stdout
