"""Shell completion, through the protocol that the shells speak, and in bash itself."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ochibot.cli import completing
from ochibot.console import find_system, system_names
from ochibot.data import data_path
from ochibot.games import game_names

PLAYERS = sorted(path.stem for path in data_path("configs/players").glob("*.yaml"))
RULES = sorted(path.stem for path in data_path("configs/rules").glob("*.yaml"))
CORES = [core for system in system_names() for core in find_system(system).cores]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ochibot", *words],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


def completed(line: str) -> list[str]:
    """What completion offers for the last word of a line, when it is asked as bash asks."""
    words = line.split(" ")
    done = run(COMP_WORDS="\n".join(words), COMP_CWORD=str(len(words) - 1), _OCHIBOT_COMPLETE="complete_bash")
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ochibot v", ["versus", "verify", "video"]),
        ("ochibot bench se", ["search"]),
        ("ochibot play ", list(game_names())),
        ("ochibot warm n", ["nyaa"]),
        ("ochibot play --player ", PLAYERS),
        ("ochibot battle --player2 art", ["article"]),
        ("ochibot explain --rules ", RULES),
        ("ochibot verify runs/one --core f", [core for core in CORES if core.startswith("f")]),
        ("ochibot play --items ca", ["carbuncle"]),
        ("ochibot battle --pla", ["--player", "--player1", "--player2"]),
        ("ochibot play --rom ", []),  # the shell offers files
        ("ochibot battle --p1 article --player2 art", ["article"]),  # --p1, an old name of --player1, is no error
    ],
)
def test_what_is_offered(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


def test_old_names_of_options_are_not_offered() -> None:
    assert "--p1" not in completed("ochibot battle --p")
    assert "--frames" not in completed("ochibot dump runs/one --f")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_in_bash(tmp_path: Path) -> None:
    """Bash sources the script that Ochibot prints, and can complete with it."""
    command = tmp_path / "ochibot"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m ochibot "$@"\n')
    command.chmod(0o755)
    shown = run(_OCHIBOT_COMPLETE="source_bash")
    assert shown.returncode == 0
    (tmp_path / "script").write_text(shown.stdout)
    program = (
        "source ./script; complete -p ochibot; COMP_WORDS=(ochibot play --player ar); COMP_CWORD=3;"
        "_ochibot_completion ochibot; echo offered: ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.stdout.splitlines()[-1] == "offered: article", done
    assert "_ochibot_completion ochibot" in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_it_is_installed_for_the_shell_that_asks(tmp_path: Path) -> None:
    words = shlex.join([sys.executable, "-m", "ochibot", "--install-completion"])
    # bash would replace itself by a single command, which then wouldn't find the shell that it runs in
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{words}; exit $?"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    if "is not supported" in done.stdout:
        pytest.skip("the name of the shell that runs the tests can't be found here")
    assert done.returncode == 0, done
    script = tmp_path / ".bash_completions/ochibot.sh"
    assert "_OCHIBOT_COMPLETE=complete_bash" in script.read_text()
    assert str(script) in (tmp_path / ".bashrc").read_text()
    (tmp_path / "file").write_text("")
    shown = run("--show-completion", HOME=str(tmp_path / "file"))
    assert "Traceback" not in shown.stderr


def test_a_shell_that_is_unknown_is_an_error() -> None:
    done = run(_OCHIBOT_COMPLETE="complete_nosuch")
    assert done.returncode == 1
    assert "nosuch" in done.stderr


def test_a_broken_installation_offers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from ochibot import data
    from ochibot.errors import OchibotError

    def broken() -> Path:
        raise OchibotError("the data files of ochibot are missing")

    monkeypatch.setattr(data, "data_root", broken)
    assert completing.players("") == completing.rules("") == []


@pytest.mark.parametrize("words", [("play", "--nonsense"), ("nonsense",), ("play", "--level", "9")])
def test_errors_of_usage_are_one_line_as_before(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("ochibot: ")
    assert done.stderr.count("\n") == 1
