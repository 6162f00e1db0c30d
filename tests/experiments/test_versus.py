"""Blind calibration of the mode for two: the way there, both seats, and the nuisance that they send."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import yaml
from ochibot.console import Button
from ochibot.experiments.digits import Form
from ochibot.experiments.driver import Driver, Fallen, Place
from ochibot.experiments.effects import Event
from ochibot.experiments.explore import name_of, pads_of
from ochibot.experiments.facts import Rows
from ochibot.experiments.motion import Motion
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import OTHER_PAD, Rig
from ochibot.experiments.run import Outcome, calibrate
from ochibot.experiments.score import Score, find_score
from ochibot.experiments.versus import _before, _of_the_game, _steered_by_hand, _suggested
from ochibot.experiments.waiting import Pending
from ochibot.games.route import Route

from tests.experiments.frames import Frames
from tests.experiments.truth import rom_of
from tests.experiments.working import VARIANTS

PLACES = ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score", "pending")


class _Machine(Frames):
    """A console whose piece falls by one a frame for 60 frames, and then begins anew. Its columns go by ``columns``, or
    by the pad when a piece answers: from its third frame on.
    """

    def __init__(self, columns: tuple[int, ...] = (3,)) -> None:
        self.columns = columns
        self.state = (0, columns[0])
        self.pads: list[tuple[int, ...]] = []
        self.frames = self.port = 0
        self.size = 2

    def step(self, *pads: int) -> None:
        self.pads.append(pads)
        frame, x = self.state
        frame += 1
        self.frames += 1
        if frame % 60 == 0:
            x = self.columns[frame // 60 % len(self.columns)]
        elif frame % 60 > 2:
            x += bool(sum(pads) & Button.RIGHT) - bool(sum(pads) & Button.LEFT)
        self.state = frame, x

    def peek(self, offset: int) -> int:
        return (self.state[1], self.state[0] % 60)[offset]

    def save(self) -> Any:
        return self.state

    def load(self, state: Any) -> None:
        self.state = state


def test_a_piece_that_answers_a_held_press_late_is_not_under_control_yet() -> None:
    machine = _Machine()
    machine.state = (60, 3)
    driver = Driver(cast("Rig", machine), Place(0, 1), Place(1, 1))
    # the first frame on which it answers is the third: two frames later, a press is answered at once
    assert driver._not_yet() == 2
    assert machine.state == (60, 3)


@pytest.mark.parametrize("columns", [(3,), (3, 0, 5)])
def test_a_seat_whose_pieces_the_game_steers_is_no_seat_for_a_player(
    columns: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = _Machine(columns)
    moves = Motion({0: 1}, {1: 1})
    monkeypatch.setattr("ochibot.experiments.versus.motion", lambda *_: moves)
    monkeypatch.setattr("ochibot.experiments.versus.followers", lambda *_: {})
    seen = _steered_by_hand(cast("Rig", machine), cast("bytes", machine.save()))
    assert bool(seen) == (len(columns) == 1)


def test_taps_on_the_second_pad_are_steps_of_a_menu_route() -> None:
    machine = _Machine()
    rig = Rig.__new__(Rig)
    rig.console, rig.port, rig.frames, rig._stop = cast("Any", machine), 0, 0, None
    both = int(Button.A) << OTHER_PAD
    rig.run(pads_of(both)[:1])
    assert machine.pads == [(0, Button.A)]
    (step,) = Route.parse(name_of(both)).steps
    assert (step.pad, step.press) == (2, Button.A)


def test_what_the_game_does_alike_on_every_seat_is_not_learnt_again(tmp_path: Path) -> None:
    unlearnt = dict.fromkeys(("size", "rows", "sort", "cap", "formula"))
    solo: Any = SimpleNamespace(**(unlearnt | {"size": 4, "rows": Rows(13, 12), "owed": 0}))
    book = Notebook(tmp_path, "of a ROM")
    for name, known in _of_the_game(solo).items():
        book.give(name, known)

    def never() -> Any:
        raise AssertionError("the experiment was made")

    assert book.page("what vanishes", never) == 4
    assert book.page("rows that count", never) == Rows(13, 12)
    assert book.page("the formula", lambda: "made") == "made"


def test_a_seat_s_score_is_that_of_the_game_alone_though_no_chain_could_be_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Chains of the experiments don't always come about where another seat plays on."""

    def event(name: str, points: int) -> Event:
        ram = np.zeros(16, np.uint8)
        ram[3] = points
        return Event(name, () if points == 0 else (((points // 10, 0),),), Fallen(b"", ram, 0, 0, 0, 0, 0, ram))

    monkeypatch.setattr("ochibot.experiments.score._kept", lambda *_: True)
    events = [
        event("nothing", 0),
        *(event(f"group {count}", points) for count, points in ((4, 40), (5, 100), (6, 180))),
    ]
    poker: Any = None
    known = Score(3, Form(1, little=True), 1, kept=True)
    assert find_score(poker, events, 4, documented=known) == known
    assert find_score(poker, events, 4) is None


def test_waiting_nuisance_may_be_counted_in_points() -> None:
    ram = np.zeros((3, 8), np.uint8)
    points = (50, 360, 840)
    for one, worth in zip(ram, points, strict=True):
        one[5], one[6] = worth & 255, worth >> 8
    seen = list(zip(points, ram, strict=True))
    found = next(iter(_suggested(seen)))
    assert found == Pending(5, 70, "u16le")
    assert found.bytes_of(4) == {5: 280 & 255, 6: 1}
    assert found.bytes_of(4, less=1) == {5: 279 & 255, 6: 1}
    assert found.count(ram[2]) == 12
    ram[:, 2] = [worth // 70 for worth in points]
    assert next(iter(_suggested(seen))) == Pending(2, 70)


def test_nuisance_may_wait_in_a_second_number_until_the_chain_ends() -> None:
    """At the end of a chain it moves: what the two numbers hold together waits."""
    waits, traces = Pending(4, 70, "u16le"), []
    for worth in (140, 360, 700):
        trace = np.zeros((6, 16), np.uint8)
        for number, place in ((1, 8), (2, 8), (3, 4), (4, 4)):
            trace[number, place], trace[number, place + 1] = worth & 255, worth >> 8
        # the same number elsewhere, a frame later
        trace[2, 12] = worth & 255
        trace[5, 4] = 0
        traces.append(trace)
    assert _before(waits, traces) == 8
    assert _before(waits, [trace[3:] for trace in traces]) is None
    assert replace(waits, plus=8).count(traces[0][1]) == replace(waits, plus=8).count(traces[0][3]) == 2


@pytest.mark.proof
@pytest.mark.parametrize("name", ["shifted", "moved"])
def test_a_variant_s_two_seats_are_learnt_and_play_a_round(name: str, tmp_path: Path) -> None:
    assert_two_seats(name, learnt_for_two(name, tmp_path), tmp_path)


def learnt_for_two(name: str, folder: Path) -> Outcome:
    """Calibrates a variant blind, with its mode for two."""
    return calibrate(rom_of(VARIANTS / name / "truth.yaml"), folder, game="mine", pieces=60, versus=True)


def assert_two_seats(name: str, outcome: Outcome, folder: Path) -> None:
    """Asserts that both seats equal the variant's truth, and that a round of two agrees with the predictions."""
    truth = yaml.safe_load((VARIANTS / name / "truth.yaml").read_text(encoding="utf-8"))
    for number in (1, 2):
        seat = truth["seats"][number]
        made = yaml.safe_load((folder / f"mine-versus{number}.yaml").read_text(encoding="utf-8"))
        assert made["seat"] == number
        for entry in PLACES:
            assert made["entries"][entry]["address"] == seat[entry]["address"], (number, entry)
        for part in ("address", "rows", "columns", "row_stride", "column_stride"):
            assert made["entries"]["field"][part] == seat["field"][part], (number, part)
    # as in the profile famicom: 70 points make one nuisance, at most 30 fall at once, and the rest is lost
    assert outcome.seats is not None
    for waits in outcome.seats.pending:
        assert waits is not None
        assert (waits.each, waits.most, waits.queued) == (70, 30, False)
    assert outcome.of_two is not None
    assert outcome.of_two.pieces >= 60
    assert outcome.of_two.agreement >= 0.999
