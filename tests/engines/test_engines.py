"""Programs that speak the protocol of docs/engines.md play everywhere, and lose by their own faults."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ochibot.console import find_cores
from ochibot.engines import player as engines
from ochibot.engines.check import check
from ochibot.engines.player import EnginePlayer
from ochibot.errors import ConfigError, UsageError
from ochibot.falling.player import EngineError
from ochibot.games import find_game
from ochibot.lab.contest.contestant import contestant
from ochibot.lab.contest.table import table_of
from ochibot.nyaa.family import FAMILY as NYAA
from ochibot.players import open_player
from ochibot.puyo import Field, Pair, Snapshot
from ochibot.puyo.family import FAMILY

REPOSITORY = Path(__file__).resolve().parent.parent.parent
BAD = f"{sys.executable} {Path(__file__).with_name('bad.py')}"
GOOD = f"{sys.executable} {REPOSITORY / 'examples/engines/lowest.py'}"
RULES = FAMILY.load_rules("tsu")
SNAPSHOT = Snapshot(Field.empty(), Pair.parse("RG"), Pair.parse("BB"), 0, RULES.spawn)
needs_core = pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")


def engine(fault: str) -> EnginePlayer:
    return EnginePlayer(f"{BAD} {fault}", "puyo", FAMILY, RULES, 1)


def placed(player: Any, snapshot: object) -> Any:
    return player.choose(snapshot).placement


def test_the_example_in_python() -> None:
    done = check(GOOD, games=1)
    assert (done.name, len(done.games), done.leaves) == ("lowest", 1, True)
    assert done.games[0].pairs > 30


def test_the_example_in_c(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    source = REPOSITORY / "examples/engines/lowest.c"
    subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-o", tmp_path / "lowest", source], check=True)
    c, python = check(str(tmp_path / "lowest"), games=1), check(GOOD, games=1)
    assert (c.games[0].score, c.games[0].pairs) == (python.games[0].score, python.games[0].pairs)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("mute", "has ended with exit code 3"),
        ("words", "sent a line that is no JSON object: 'bestmove e2e4'"),
        ("none", r"answered \{'type': 'none'\}, but there are 22 placements"),
        ("column", r"answered \{.*'column': 9.*\}, but the piece can't get there"),
        ("truth", r"'column': True.*\}, but the column must be a whole number"),
        ("text", r"'column': '1'.*\}, but the column must be a whole number"),
        ("partner", r"\}, but the piece can't get there"),
        ("empty", r"answered \{'type': 'place'\}, but the column must be a whole number"),
        ("bytes", r"sent a line that is no JSON object: '.*\\x00"),
        ("long", "sent a line that is too long"),
        ("protocol", "speaks the protocol 2, not 1"),
        ("unnamed", r"states the option \{'type': 'integer'\}: it needs a name and one of the types integer, number"),
        ("deaf", "took more than 0.125 s of processor time to answer turn 1"),
        ("children", "took more than 0.125 s of processor time to answer turn 1"),
    ],
)
def test_faults(fault: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault in ("children", "deaf"):
        monkeypatch.setenv(engines.TIME_VARIABLE, "100")
        if not Path("/proc/self/stat").exists():
            pytest.skip("the processor time of a group is known on Linux only")
    with pytest.raises(EngineError, match=why):
        engine(fault).choose(SNAPSHOT)


def test_the_clock_is_a_safety_net(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engines.TIME_VARIABLE, "20")
    with pytest.raises(EngineError, match=r"took more than 0\.2 s to answer turn 1"):
        engine("sleep").choose(SNAPSHOT)


def test_an_engine_that_answers_stop_is_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It works until it reads ``stop``, and then answers."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("the processor time of a group is known on Linux only")
    monkeypatch.setenv(engines.TIME_VARIABLE, "400")
    monkeypatch.setattr(engines, "WALL", 100)
    assert placed(engine("slow"), SNAPSHOT).x == 1


def test_a_wrong_limit_is_answered_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engines.TIME_VARIABLE, "soon")
    with pytest.raises(UsageError, match="OCHIBOT_ENGINE_MS is 'soon': give the milliseconds"):
        engine("fine")


def test_a_process_ends_with_its_player() -> None:
    player = engine("fine")
    player.prepare()
    assert player._engine is not None
    process = player._engine._process
    del player
    assert process.poll() is not None


def test_options_are_set_in_the_name(capfd: pytest.CaptureFixture[str]) -> None:
    chosen = "depth=3, style=wild book='my book' noisy=no risk=0.5 time_ms=400 ponder=no"
    player = EnginePlayer(f"engine[{chosen}]:{BAD} options", "puyo", FAMILY, RULES, 1)
    assert placed(player, SNAPSHOT).y == 13
    assert player.budget == {"budget_ms": 400}
    assert capfd.readouterr().err.splitlines() == [
        *("setoption depth 3", "setoption style wild", "setoption book my book"),
        *("setoption noisy False", "setoption risk 0.5"),
    ]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("depth=0", "option depth is a whole number from 1 up to 9, not '0'"),
        ("depth=deep", "option depth is a whole number from 1 up to 9, not 'deep'"),
        ("style=odd", "option style is one of calm, wild, not 'odd'"),
        ("noisy=loud", "option noisy is true or false, not 'loud'"),
        ("risk=inf", "option risk is a number up to 1, not 'inf'"),
        ("width=1", "has no option 'width'; it has depth, style, book, noisy, risk, time_ms, ponder"),
        ("depth", r"engine\[depth\]: give each option once, as NAME=VALUE, such as engine\[depth=4"),
        ("depth=1 depth=2", "give each option once"),
        ("book='my", "give each option once"),
        ("time_ms=0", "time_ms is '0': give the milliseconds of a decision"),
        ("ponder=maybe", "option ponder is true or false, not 'maybe'"),
    ],
)
def test_wrong_options_are_answered_in_words(options: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        open_player(f"engine[{options}]:{BAD} options", find_game("puyo"), RULES).choose(SNAPSHOT)


def test_an_option_of_a_command_sets_the_time() -> None:
    with pytest.raises(UsageError, match=r"an engine, whose options stand in engine\[.*, has no option --plies"):
        open_player("engine:./mine", find_game("puyo"), RULES, options={"plies": 1})
    player: Any = open_player("engine:./mine", find_game("puyo"), RULES, options={"budget_ms": 70})
    assert player.budget == {"budget_ms": 70}


def test_a_program_that_does_not_exist() -> None:
    with pytest.raises(
        ConfigError, match=r"the engine ./nobody can't be started: No such file .*; give engine:COMMAND"
    ):
        open_player("engine:./nobody", find_game("puyo"), RULES).choose(SNAPSHOT)


@pytest.mark.parametrize("word", ["engine:./mine", "engine:mine", "engine[a=1]:mine"])
def test_a_game_file_can_t_name_an_engine(word: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(f"extends: puyo\ngame: mine\nplayer: '{word}'\n")
    with pytest.raises(ConfigError, match=r"player: (there is no player|a game file runs no Python code)"):
        find_game(str(file))


def test_pochi_and_nyaa_too() -> None:
    rules = NYAA.load_rules("nyaa_mvs")
    from ochibot.nyaa.rules.grid import Grid
    from ochibot.nyaa.rules.pair import Pair as NyaaPair
    from ochibot.nyaa.rules.snapshot import Snapshot as NyaaSnapshot

    pair = NyaaPair(1, 2)
    player = EnginePlayer(f"{BAD} fine", "nyaa", NYAA, rules, 1)
    assert placed(player, NyaaSnapshot(Grid.empty(), pair, (pair, pair))).y == 12


def test_in_a_simulated_match_a_fault_loses_the_game(capfd: pytest.CaptureFixture[str]) -> None:
    table = table_of("puyo", max_pieces=10)
    for seat in (1, 2):
        players = [engine("log"), engine("log")]
        players[seat - 1] = engine("crash")
        played = table.play(5, (players[0], players[1]))
        assert played["loser"] == seat
        del players
        assert "end won" in capfd.readouterr().err


def test_an_arena_knows_an_engine_by_its_files(tmp_path: Path) -> None:
    one = contestant(f"engine:{BAD} fine", "puyo", RULES)
    assert one.name == "fine"
    assert placed(one.open("puyo", RULES, 1), SNAPSHOT).y == 13
    script = tmp_path / "mine.py"
    shutil.copy(Path(__file__).with_name("bad.py"), script)
    before = contestant(f"engine:{sys.executable} {script} fine", "puyo", RULES).digest
    script.write_text(script.read_text() + "\n")
    assert contestant(f"engine:{sys.executable} {script} fine", "puyo", RULES).digest != before
