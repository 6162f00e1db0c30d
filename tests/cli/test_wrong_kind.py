"""Errors that say a file is the other game's; help without a command; a Ctrl-C before the commands are loaded."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError, MapError
from ochibot.games import find_game, game_names
from ochibot.games.choosing import find_rules

from tests.commands import ochibot
from tests.titles import PUYO, player_file, player_of

PLAYERS = {"puyo": "article", "nyaa": "nyaa", "tsu": "article", "tsu_c2": "article"}
PLAYERS |= dict.fromkeys(("gb", "gg", "sms", "snes", "pce", "gba"), "article")


@pytest.mark.parametrize(("game", "other"), [("puyo", "nyaa"), ("nyaa", "puyo")])
def test_a_player_of_the_other_game(tmp_path: Path, game: str, other: str) -> None:
    own = tmp_path / "own.yaml"
    shutil.copy(data_path(f"configs/players/{PLAYERS[other]}.yaml"), own)
    for wanted in (PLAYERS[other], str(own)):
        with pytest.raises(ConfigError) as caught:
            player_file(wanted, find_game(game))
        assert f"is a player of {other}, not of {game}; give {PLAYERS[game]} or a file of yours" in str(caught.value)


@pytest.mark.parametrize("game", game_names())
def test_only_the_players_of_the_game_are_offered(tmp_path: Path, game: str) -> None:
    for wanted in ("nobody", str(tmp_path / "gone.yaml")):
        with pytest.raises(ConfigError) as caught:
            player_file(wanted, find_game(game))
        offered = str(caught.value).split(f"shipped players of {game}: ")[1].split(", ")
        assert PLAYERS[game] in offered
        assert not set(offered) & (set(PLAYERS.values()) - {PLAYERS[game]})


def test_a_player_of_neither_game_gets_an_error_message(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(data_path("configs/players/article.yaml").read_text().replace("links", "lynx"))
    with pytest.raises(ConfigError, match=r"weights\.links: is missing"):
        player_of(PUYO, str(own))


def test_rules_of_the_other_game(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    shutil.copy(data_path("configs/rules/nyaa_ps2.yaml"), own)
    for wanted in ("nyaa_mvs", str(own)):
        with pytest.raises(ConfigError, match="is a rules profile of nyaa, not of puyo; give famicom, puyo1, tsu or"):
            find_rules(find_game("puyo"), wanted)
    with pytest.raises(ConfigError, match="shipped rules: famicom, puyo1, tsu"):
        find_rules(find_game("puyo"), str(tmp_path / "gone.yaml"))


@pytest.mark.parametrize(
    ("game", "file", "words"),
    [
        ("nyaa", "famicom_puyo/player1", r"is a map of the game famicom_puyo \(system nes\), not of one for neogeo"),
        ("puyo", "nyaa_homebrew/player1", r"is a map of the game nyaa_homebrew \(system neogeo\), not of one for nes"),
    ],
)
def test_a_map_of_the_other_game(game: str, file: str, words: str) -> None:
    with pytest.raises(MapError, match=words):
        find_game(game).load_map(data_path(f"ram_maps/{file}.yaml"))


@pytest.mark.parametrize("group", [("nyaa",), ("movie",), ("bench",), ("engine",)])
def test_without_a_command_there_is_help_and_nothing_else(group: tuple[str, ...]) -> None:
    done = ochibot(*group)
    assert done.returncode == 2
    assert "Usage" in done.stdout
    assert done.stderr == ""


def test_ochibot_alone_says_what_one_does_first() -> None:
    done = ochibot()
    assert done.returncode == 0
    assert done.stderr == ""
    for command in ("ochibot play --window", 'ochibot play "My Game.nes"', "ochibot versus", "ochibot --help"):
        assert command in done.stdout


INTERRUPTED = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
# where the tests run in the background Ctrl-C is ignored from the start
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupts())
from ochibot.cli.main import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals to oneself are another thing there")
@pytest.mark.parametrize("module", ["typer", "ochibot.cli.play"])
def test_ctrl_c_while_the_commands_are_still_being_loaded(module: str) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, module], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (130, "ochibot: interrupted\n")


@pytest.mark.parametrize("named", ["mine.nes", "./mine.nes"])
def test_a_rom_in_the_place_of_the_game_is_learnt_as_one_given_with_rom(named: str, tmp_path: Path) -> None:
    """The help offered it, and the command said that there was no such game."""
    for content in (None, b"no ROM"):
        if content is not None:
            (tmp_path / "mine.nes").write_bytes(content)
        said = [ochibot("calibrate", *words, cwd=tmp_path) for words in ((named,), ("--rom", named))]
        assert [one.returncode for one in said] == [2, 2]
        assert said[0].stderr == said[1].stderr
        assert "mine.nes" in said[0].stderr
