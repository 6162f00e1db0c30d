"""Where a core can leave out pictures, a replay makes only those that it compares, and finds the same differences."""

from __future__ import annotations

from typing import Any

import ochibot
import pytest
from ochibot.console import find_cores
from ochibot.record import Record
from ochibot.record.sparing import Sparing
from ochibot.record.verify import verify

pytestmark = pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    folder = tmp_path_factory.mktemp("sparing") / "run"
    with ochibot.open("nyaa", seed=1) as game:
        game.record(folder, command="test")
        game.start()
        game.play(frames=100)
    return Record.open(folder)


def consoles_of(record: Record, monkeypatch: pytest.MonkeyPatch, at: int = 0, until: int = 1 << 30) -> list[Any]:
    """Notes each console that replays. A byte of RAM is flipped in the frame ``at``, and back in ``until``."""
    opened: list[Any] = []
    usual = record.console

    def console(*given: Any, **more: Any) -> Any:
        machine = usual(*given, **more)
        step, frames = machine.step, iter(range(1, 1 << 30))

        def spoiling(*pads: int) -> None:
            step(*pads)
            if next(frames) in (at, until):
                machine.ram.raw[0x8000] ^= 1

        monkeypatch.setattr(machine, "step", spoiling, raising=False)
        opened.append(machine)
        return machine

    monkeypatch.setattr(record, "console", console)
    return opened


def test_only_the_compared_pictures_are_made(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = consoles_of(record, monkeypatch)
    result = verify(record)
    assert (result.same, result.frames, result.samples) == (True, record.frames, len(list(record.samples())))
    (machine,) = opened
    compared = {sample.frame for sample in record.samples()} | {frame for frame, _ in record.pictures()}
    assert 1 < machine.frames_shown <= len(compared) < record.frames / 10


def test_several_replays_make_every_picture(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = consoles_of(record, monkeypatch)
    result = verify(record, repeat=2)
    assert result.same
    assert [machine.frames_shown > record.frames / 2 for machine in opened] == [True, True]


def test_a_difference_is_what_a_replay_with_every_picture_finds(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = record.frames - 70
    with monkeypatch.context() as patch:
        opened = consoles_of(record, patch, at)
        spared = verify(record)
    assert len(opened) == 2
    with monkeypatch.context() as patch:
        patch.setattr("ochibot.record.sparing.find_system", lambda _: type("Row", (), {"av": {}}))
        opened = consoles_of(record, patch, at)
        whole = verify(record)
    assert len(opened) == 1
    assert spared == whole
    assert spared.difference is not None
    assert (spared.difference.frame, spared.same) == (at, False)
    with monkeypatch.context() as patch:
        consoles_of(record, patch, at, at + 2)
        passing = verify(record)
    assert (passing.same, passing.passing, passing.first_passing) == (True, 2, at)


def test_a_core_that_repeats_its_picture_is_replayed_with_every_one(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = consoles_of(record, monkeypatch)
    monkeypatch.setattr(Sparing, "after", lambda self, shown: setattr(self, "doubtful", shown >= 0))
    assert verify(record).same
    assert [machine.frames_shown > record.frames / 2 for machine in opened] == [False, True]
