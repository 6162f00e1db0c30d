"""Programs that speak the protocol of docs/engines.md play everywhere, and lose by their own faults."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ochibot as package
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
from ochibot.puyo.rules.snapshot import Rival

from tests.commands import ochibot

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
        ("children", "took more than 0.125 s of processor time to answer turn 1"),
    ],
)
def test_faults(fault: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "children":
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


def test_options_are_part_of_the_command() -> None:
    with pytest.raises(UsageError, match="an engine, whose options are part of its command, has no option --plies"):
        open_player("engine:./mine", find_game("puyo"), RULES, options={"plies": 1})


@pytest.mark.parametrize("word", ["engine:./mine", "engine:mine"])
def test_a_game_file_can_t_name_an_engine(word: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(f"extends: puyo\ngame: mine\nplayer: '{word}'\n")
    with pytest.raises(ConfigError, match=r"player: (there is no player|a game file runs no Python code)"):
        find_game(str(file))


def test_our_messages_fit_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message has the keys that the schema requires, and no other."""
    schema = json.loads(Path(engines.__file__).with_name("schema.json").read_text())
    known = {one["properties"]["type"]["const"]: one for one in schema["$defs"]["to_engine"]["oneOf"]}
    sent: list[dict[str, Any]] = []
    from ochibot.engines.process import EngineProcess

    plain = EngineProcess.send

    def note(self: EngineProcess, **said: Any) -> None:
        sent.append(said)
        plain(self, **said)

    monkeypatch.setattr(EngineProcess, "send", note)
    player = engine("fine")
    player.prepare()
    player.choose(SNAPSHOT)
    facing = Snapshot(Field.empty(), Pair.parse("RG"), Pair.parse("BB"), 0, RULES.spawn, rival=Rival(Field.empty()))
    player.choose(facing)
    player.ended("over")
    assert {said["type"] for said in sent} == {"hello", "isready", "new", "turn", "end"}
    for said in sent:
        assert fits(json.loads(json.dumps(said)), known[said["type"]]), said


def fits(value: Any, model: Mapping[str, Any]) -> bool:
    """The part of JSON schema that ours uses; keys beyond those named aren't accepted."""
    if "const" in model or "enum" in model:
        return value in model.get("enum", [model.get("const")])
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
    named = model["type"] if isinstance(model["type"], list) else [model["type"]]
    if type(value) not in [kinds[one] for one in named]:
        return False
    if isinstance(value, list):
        return all(fits(one, model["items"]) for one in value)
    if not isinstance(value, dict) or "properties" not in model:
        return True
    known = model["properties"]
    return set(model.get("required", ())) <= set(value) <= set(known) and all(
        fits(part, known[key]) for key, part in value.items()
    )


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


@needs_core
def test_battles_and_solo_runs_of_the_console() -> None:
    with package.open("puyo", seed=1) as game:
        assert game.play(f"engine:{GOOD}", pieces=5).agreement == 1.0
    with package.open("puyo", seed=1) as game:
        result = game.battle(f"engine:{BAD} crash", f"engine:{GOOD}", games=2, max_pieces=10)
    assert (result.wins, result.games, result.agreement) == ([0, 2], 2, 1.0)
    for one in result.games_detail:
        assert "has ended by signal 6" in str(one["forfeit"])
    done = ochibot("play", "--player", f"engine:{BAD} crash", "--pieces", "9", "--seed", "1")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("has ended by signal 6")
    assert "pieces 2" in done.stdout


def test_the_command_that_checks() -> None:
    done = ochibot("engine", "check", GOOD, "--games", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("lowest: every answer was legal; ")
    done = ochibot("engine", "check", f"{BAD} column")
    assert done.returncode == 1
    assert done.stderr.startswith("ochibot: the engine column answered {'column': 9, ")


@needs_core
def test_the_commands_of_the_page() -> None:
    page = (REPOSITORY / "docs/engines.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    for command in block.splitlines():
        done = ochibot(*shlex.split(command)[1:], cwd=REPOSITORY)
        assert done.returncode == 0, done.stderr
