"""Help is complete, although only the called command's options are built."""

from __future__ import annotations

import os

import pytest

from tests.commands import ochibot

COMMANDS = ["play", "battle", "versus", "doctor", "explain", "deal", "web", "warm", "dump", "verify", "video"]
GROUPS = {"bench": "start", "movie": "export", "nyaa": "value"}


def shown(*words: str, everything: bool = False) -> str:
    """Runs a help and returns what it prints. everything: the options of all commands are built, as for completion."""
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    if everything:
        env["NOBODY_COMPLETE"] = "1"
    done = ochibot(*words, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_root_names_every_command_as_when_nothing_is_left_out() -> None:
    told = shown("--help")
    assert told == shown("--help", everything=True)
    for name in (*COMMANDS, *GROUPS):
        assert f" {name} " in told


@pytest.mark.parametrize(
    "words", [["play"], ["battle"], ["nyaa"], ["bench", "start"], ["movie", "export"]], ids=" ".join
)
def test_a_command_s_own_help_is_whole(words: list[str]) -> None:
    told = shown(*words, "--help")
    assert told == shown(*words, "--help", everything=True)
    assert words == ["nyaa"] or "--json" in told
