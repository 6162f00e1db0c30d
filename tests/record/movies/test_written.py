"""Replays that RetroArch itself wrote (see data/README.md): a review has the placements that memory showed."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from ochibot.console import Console, find_core, find_cores, load_nes_rom
from ochibot.errors import MovieError
from ochibot.record.movies.replay import Replay, read_replay
from ochibot.review.sources import open_source

from tests.console.fakeretroarch import OCHIDAMA
from tests.record.movies.test_retroarch import replay_of

DATA = Path(__file__).parent / "data"
FILES = {1: DATA / "ochidama-1.replay", 2: DATA / "ochidama-2.replay1"}

needs_nestopia = pytest.mark.skipif(not find_cores("nestopia"), reason="no core nestopia here")


def read(version: int) -> Replay:
    if version == 2:
        pytest.importorskip("zstandard")
    return read_replay(FILES[version])


def told(path: Path) -> tuple[list[dict[str, Any]], str | None]:
    """The placements that a review finds in a replay, and its note."""
    source = open_source(path, core="nestopia")
    followed = source.follow(lambda *_: None, lambda: False)
    assert followed.unread == 0
    placements = [
        {
            "field": [row for row in str(one.snapshot.field).split("\n") if row.strip(".")],
            "pair": [one.snapshot.pair.axis, one.snapshot.pair.partner],
            "x": one.placement.x,
            "orientation": int(one.placement.orientation),
        }
        for one in followed.placements
    ]
    return placements, source.note


@pytest.mark.parametrize("version", FILES)
def test_what_retroarch_wrote_is_read(version: int) -> None:
    replay = read(version)
    assert (replay.version, replay.crc, len(replay.state), replay.whole) == (version, 0x8E2B2A63, 5050, True)
    assert replay.state.startswith(b"NST\x1a")
    # the bot was player 1
    assert sum(first != 0 for first, _ in replay.pads) > 200
    assert not any(second for _, second in replay.pads)


@needs_nestopia
@pytest.mark.parametrize("version", FILES)
def test_its_review_has_the_placements_of_the_game(version: int) -> None:
    read(version)
    wanted = json.loads((DATA / f"ochidama-{version}.json").read_text())
    assert len(wanted) == 7
    assert told(FILES[version]) == (wanted, None)


@needs_nestopia
def test_its_checkpoints_are_the_states_that_the_inputs_lead_to() -> None:
    """All but the first consist of blocks that stand in earlier ones, too."""
    replay = read(2)
    states = dict(replay.states())
    assert list(states) == [240 * number - 1 for number in range(1, 5)]
    with Console.open(find_core("nes", "nestopia"), load_nes_rom(OCHIDAMA)) as console:
        console.step()
        console.load(replay.state)
        for frame, pads in enumerate(replay.pads):
            console.step(*pads)
            if frame in states:
                assert console.save() == states[frame], frame


@needs_nestopia
def test_one_of_a_retroarch_that_was_killed_is_reviewed_up_to_there(tmp_path: Path) -> None:
    """RetroArch gives the file its length before it has written all of it."""
    data = FILES[1].read_bytes()
    path = tmp_path / "killed.replay"
    path.write_bytes(data[:20_010] + bytes(900))
    frames = len(read_replay(path).pads)
    assert 0 < frames < len(read(1).pads)
    wanted = json.loads((DATA / "ochidama-1.json").read_text())
    placements, note = told(path)
    assert 0 < len(placements) < 7
    assert placements == wanted[: len(placements)]
    assert note == f"it is cut short after {frames} frames"
    path.write_bytes(data[:20_010] + bytes(900) + b"x")
    with pytest.raises(MovieError, match=r"frame \d{3} ends in an unknown token"):
        read_replay(path)


@needs_nestopia
@pytest.mark.parametrize("version", FILES)
def test_a_reset_shows_at_the_next_checkpoint(tmp_path: Path, version: int) -> None:
    """RetroArch doesn't write that the game was reset: only the checkpoint after it has another state."""
    replay = read(1)
    wanted = json.loads((DATA / "ochidama-1.json").read_text())
    # the fourth piece has locked
    begun = replay.pads[:800]
    path = tmp_path / "reset.replay"
    pads = list(begun + replay.pads)
    path.write_bytes(replay_of(pads, replay.state, version, crc=replay.crc, at=len(begun)))
    assert [(frame, state) for frame, state in read_replay(path).states()] == [(len(begun) - 1, replay.state)]
    placements, _ = told(path)
    before = len(placements) - len(wanted)
    assert 2 <= before < len(wanted)
    assert placements == wanted[:before] + wanted


def test_without_the_library_for_zstd_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MovieError, match="pip install zstandard"):
        read_replay(FILES[2])


@pytest.mark.parametrize("name", ["game.replay", "game.replay1", "game.replay12", "GAME.REPLAY3"])
def test_the_number_of_a_slot_is_part_of_the_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    shutil.copy(FILES[1], path)
    assert open_source(path).kind == "replay"


def test_other_names_are_of_no_replay(tmp_path: Path) -> None:
    path = tmp_path / "game.replays"
    shutil.copy(FILES[1], path)
    with pytest.raises(MovieError, match="no movie by its ending"):
        open_source(path)
