"""The way to play that is written for a stranger leads to play again, from power-on or from a savestate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.console import Button
from ochibot.errors import CalibrationError, UsageError
from ochibot.experiments.rig import Rig
from ochibot.experiments.routes import explore_modes, explore_rom

from tests.strangers.maker import Truth, draw
from tests.strangers.maker.console import StrangerConsole

DULL = draw(1, "family", "no_pause")


def said(_: str, __: float) -> None:
    pass


def replayed(folder: Path, console: StrangerConsole) -> dict[str, Any]:
    """Presses what route.yaml says, and checks that this leads to play.state. Returns what the file says."""
    route: dict[str, Any] = yaml.safe_load((folder / "route.yaml").read_text(encoding="utf-8"))
    if "from" in route:
        console.load((folder / route["from"]).read_bytes())
    for pad, frames in route["pads"]:
        for _ in range(frames):
            console.step(pad)
    state = (folder / "play.state").read_bytes()
    if route["pads"]:
        assert console.save() == state
    assert route["frames"] == sum(frames for _, frames in route["pads"])
    return route


def test_the_way_to_play_is_written_so_that_it_leads_there(tmp_path: Path) -> None:
    with StrangerConsole(DULL) as console, StrangerConsole(DULL) as other:
        rig = Rig(console)
        route = explore_rom(rig, tmp_path / "on", said)
        made = replayed(tmp_path / "on", other)
        place = Truth(console.game).describe()["place"]
        (x,), (y,) = place["x"], place["y"]
        assert made["moves_across"][f"0x{x:04X}"] == 1
        assert made["falls"][f"0x{y:04X}"] == 1
        assert made["taps"] == ["start"] == list(route.buttons)
        assert (made["rom"], made["core"]) == (console.rom.sha1, "Stranger")
        before = other.ram[x]
        for pad in [int(Button.RIGHT)] * 3 + [0] * 6:
            other.step(pad)
        assert other.ram[x] == before + 1
        assert {file.name for file in (tmp_path / "on").glob("*.png")} == {"screen0-power-on.png", "screen1-start.png"}

        # a savestate of play is play
        again = explore_rom(rig, tmp_path / "play", said, state=route.state)
        assert (again.state, again.presses, again.screens) == (route.state, (), 1)
        assert replayed(tmp_path / "play", other)["from"] == "start.state"
        assert (tmp_path / "play/start.state").read_bytes() == route.state

        # and from one of the title, the search goes on
        fresh = StrangerConsole(DULL)
        for _ in range(60):
            fresh.step(0)
        begun = explore_rom(rig, tmp_path / "title", said, state=fresh.save())
        assert begun.buttons == ("start",)
        replayed(tmp_path / "title", other)


def test_a_search_whose_frames_are_used_up_says_what_is_left(tmp_path: Path) -> None:
    seen: list[str] = []
    with StrangerConsole(DULL) as console:
        rig = Rig(console)
        with pytest.raises(CalibrationError) as told:
            explore_rom(rig, tmp_path, lambda words, _: seen.append(words), frames=200)
    assert "the 200 emulated frames were used up after 1 screen, and " in str(told.value)
    assert seen[0].startswith("1 screen tried, ")


def test_a_mode_is_told_apart_by_its_byte(tmp_path: Path) -> None:
    with StrangerConsole(DULL) as console, StrangerConsole(DULL) as other:
        mode = Truth(console.game).describe()["mode"]
        names = {mode["codes"]["play"]: "solo"}
        found, used_up = explore_modes(Rig(console), tmp_path, mode["address"], names, said)
        assert (list(found), used_up) == (["solo"], "")
        replayed(tmp_path / "solo", other)
        assert other.ram[mode["address"]] == mode["codes"]["play"]
        with pytest.raises(CalibrationError, match=r"none of the modes was reached|were used up"):
            explore_modes(Rig(StrangerConsole(DULL)), tmp_path, 0x7F0, {0xEE: "solo"}, said, frames=2000)
        with pytest.raises(UsageError):
            explore_modes(Rig(StrangerConsole(DULL)), tmp_path, 0x9000, names, said)
