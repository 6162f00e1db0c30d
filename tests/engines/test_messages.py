"""The messages of real games fit the schema of the protocol and the page on it; an engine may ponder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import ochibot as package
import pytest
from ochibot.console import find_cores
from ochibot.engines import player as engines
from ochibot.engines.player import EnginePlayer
from ochibot.engines.process import EngineProcess
from ochibot.falling.player import EngineError, Facts
from ochibot.games import find_game
from ochibot.lab.contest.table import table_of
from ochibot.players import open_player
from ochibot.puyo import Field, Pair, Snapshot
from ochibot.puyo.family import FAMILY

from tests.engines.test_engines import BAD, GOOD, REPOSITORY, RULES, SNAPSHOT, engine, needs_core

Said = list[tuple[str, dict[str, Any]]]
SCHEMA = json.loads(Path(engines.__file__).with_name("schema.json").read_text())
SAYS = {
    (side, one["properties"]["type"]["const"]): one
    for side in ("to_engine", "from_engine")
    for one in SCHEMA["$defs"][side]["oneOf"]
}


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    """All messages of the test's engines, as they were sent."""
    heard: Said = []
    send, parsed = EngineProcess.send, EngineProcess._parsed

    def sent(self: EngineProcess, **message: Any) -> None:
        heard.append(("to_engine", json.loads(json.dumps(message))))
        send(self, **message)

    def received(self: EngineProcess, line: bytes) -> Mapping[str, Any]:
        message = parsed(self, line)
        heard.append(("from_engine", dict(message)))
        return message

    monkeypatch.setattr(EngineProcess, "send", sent)
    monkeypatch.setattr(EngineProcess, "_parsed", received)
    return heard


def check_said(said: Said) -> set[str]:
    """Every message fits the schema, ours without a key that the schema doesn't have. Returns their types."""
    for side, message in said:
        assert fits(message, SAYS[side, message["type"]], strictly=side == "to_engine"), message
    return {message["type"] for _, message in said}


@pytest.mark.parametrize("name", ["puyo", "tsu", "nyaa"])
def test_messages_of_a_match_fit_the_schema(name: str, said: Said) -> None:
    table = table_of(name, max_pieces=4)
    pair = [open_player(f"engine:{GOOD}", find_game(name), table.rules) for _ in range(2)]
    table.play(5, (pair[0], pair[1]))
    assert check_said(said) == {"hello", "ready", "new", "turn", "place", "end"}
    turns = [message for _, message in said if message["type"] == "turn"]
    assert [message["seat"] for _, message in said if message["type"] == "new"] == [1, 2]
    assert all(type(place["frames"]) is int for turn in turns for place in turn["legal"])
    most = {"puyo": 30, "tsu": 30, "nyaa": 21}[name]
    when = "after_idle_lock" if name == "nyaa" else "after_lock"
    assert all((turn["pending"], turn["falls"]) == (0, {"when": when, "most": most}) for turn in turns)
    assert {turn["all_clear"] for turn in turns} == ({None} if name == "nyaa" else {False})


CORES = {"puyo": "fceumm", "tsu": "genesis_plus_gx", "nyaa": "fbneo"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.skipif(not find_cores(core), reason=f"no {core} core here"))
        for name, core in CORES.items()
    ],
)
def test_messages_of_a_running_game_fit_the_schema(name: str, said: Said) -> None:
    """The engine ponders. In a game of one player nothing comes between, so every later turn is a hit."""
    with package.open(name, seed=1) as game:
        game.leave_out_av()
        assert game.play(f"engine:{BAD} ponder", pieces=4).agreement == 1.0
    assert check_said(said) == {"hello", "ready", "new", "turn", "hit", "ponder", "info", "place"}
    asked = [message["type"] for side, message in said if side == "to_engine"]
    assert asked == ["hello", "new", "turn", *["ponder", "hit"] * 4, "ponder"]
    for _, message in said:
        if message["type"] in ("turn", "hit"):
            assert message["pending"] == 0
            assert message["points"] == {"puyo": 0, "tsu": 0, "nyaa": None}[name]
            assert all(place["in_time"] and place["frames"] > 0 for place in message["legal"])


@needs_core
def test_slow_hands_need_more_frames(said: Said) -> None:
    needed = []
    for speed in (10, 3):
        with package.open("puyo", seed=1) as game:
            game.leave_out_av()
            game.play(f"engine:{GOOD}", pieces=1, speed=speed)
        needed.append(next(message["legal"] for _, message in said if message["type"] == "turn"))
        said.clear()
    fast, slow = ({(one["column"], one["partner"]): one["frames"] for one in legal} for legal in needed)
    assert all(slow[place] > fast[place] + 20 for place in fast)


def test_pondering(said: Said) -> None:
    """A miss is a turn; an answer while it ponders is stale; who ends while pondering loses at its next turn."""
    following = Snapshot(Field.empty(), Pair.parse("BB"), Pair.parse("GG"), 0, RULES.spawn)
    player = engine("hasty")
    for number in range(3):
        decision = player.choose(SNAPSHOT if number == 0 else following)
        player.ponder(SNAPSHOT, decision)
    assert [message["type"] for side, message in said if side == "to_engine"].count("hit") == 0
    assert [message["type"] for side, message in said if side == "to_engine"].count("ponder") == 3
    kept = EnginePlayer(f"engine[ponder=no]:{BAD} hasty", "puyo", FAMILY, RULES, 1)
    said.clear()
    kept.ponder(SNAPSHOT, kept.choose(SNAPSHOT))
    waiting = replace(SNAPSHOT, facts=Facts(1, 5))
    player.ponder(waiting, player.choose(waiting))
    assert "ponder" not in {message["type"] for _, message in said}
    frail = engine("frail")
    frail.ponder(SNAPSHOT, frail.choose(SNAPSHOT))
    assert frail._engine is not None
    frail._engine._process.wait(10)
    with pytest.raises(EngineError, match="has ended with exit code 4"):
        frail.choose(following)


def test_the_page_names_every_key() -> None:
    """docs/engines.md names each type and each key that the schema has, and no other type."""
    page = (REPOSITORY / "docs/engines.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`\"?(\w+)\"?(?::\w+)?`", page))
    for (_, kind), model in SAYS.items():
        assert kind in named, kind
        assert keys_of(model) <= named, (kind, keys_of(model) - named)
    rows = re.findall(r"^\| `(\w+)`(?:, `(\w+)`)? \|", page.split("A `turn` has these keys")[0], re.MULTILINE)
    assert {kind for row in rows for kind in row if kind} == {kind for side, kind in SAYS if side == "to_engine"}


def keys_of(model: Mapping[str, Any]) -> set[str]:
    """All keys of a message, those of its parts included."""
    model = whole(model)
    found = set(model.get("properties", ()))
    for part in (*model.get("properties", {}).values(), *([model["items"]] if "items" in model else [])):
        found |= keys_of(part)
    return found


def whole(model: Mapping[str, Any]) -> Mapping[str, Any]:
    """A model together with the one that it refers to."""
    if "$ref" not in model:
        return model
    more = SCHEMA["$defs"][model["$ref"].removeprefix("#/$defs/")]
    return {
        **more,
        **model,
        "properties": more["properties"] | model["properties"],
        "required": [*more["required"], *model["required"]],
    }


def fits(value: Any, model: Mapping[str, Any], *, strictly: bool) -> bool:
    """The part of JSON schema that ours uses. strictly: keys beyond those named aren't accepted."""
    model = whole(model)
    if "const" in model or "enum" in model:
        return value in model.get("enum", [model.get("const")])
    if "type" not in model:
        return True
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
    named = model["type"] if isinstance(model["type"], list) else [model["type"]]
    if type(value) not in [{**kinds, "number": float}[one] for one in named]:
        return False
    if isinstance(value, list):
        return all(fits(one, model["items"], strictly=strictly) for one in value)
    if not isinstance(value, dict) or "properties" not in model:
        return True
    known = model["properties"]
    return (
        set(model.get("required", ())) <= set(value)
        and (not strictly or set(value) <= set(known))
        and all(fits(part, known[key], strictly=strictly) for key, part in value.items() if key in known)
    )
