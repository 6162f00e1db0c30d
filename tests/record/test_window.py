"""A run in the window is recorded like any other, including the person's key presses."""

from __future__ import annotations

from pathlib import Path

from ochibot.record import Record, Recorder, verify

from tests.record.making import PUYO, about, opened, seat_map
from tests.titles import famicom_seat
from tests.ui.fakes import key, screen_for, tap


def test_a_persons_pads_and_quick_loads_are_in_the_record(tmp_path: Path) -> None:
    with opened() as console, Recorder.begin(tmp_path / "r", console, about(), every=30, segment=120) as recorder:
        seat = famicom_seat(seat_map(), console.ram)
        with screen_for(recorder.console, tmp_path, person_seat=1, in_menus=seat.in_menus) as screen:
            PUYO.reach(screen, seat, PUYO.solo_mode, {})
            began = recorder.frames
            for frame in range(100):
                if frame == 20:
                    tap("f5")
                    key("left")
                if frame == 70:
                    key("left", down=False)
                    tap("f8")
                screen.step()
    record = Record.open(tmp_path / "r")
    (load,) = record.jumps()
    assert (load.kind, load.frame) == ("load", began + 70)
    assert sum(pads[0] != 0 for pads in record.pads(began + 1)) == 50
    assert verify(record).same
