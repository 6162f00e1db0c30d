"""A route through menus frame by frame: when each tap is held, how long a step waits, where it ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ochibot.console import NES, Button, Ram
from ochibot.errors import GameError, MapError, UsageError
from ochibot.games.route import Route, RouteWalker
from ochibot.ram import BoundMap

from tests.titles import TABLE, load_seat_map

MODE, LEVEL, FREE = 0x6F, 0x70, 0x7F0
ON, OFF = 6, 5
"""For how many frames a tap holds its buttons, and then releases them."""


class Machine:
    """A machine that writes RAM at given frames. ``script``: for each write, the frame, the address and the value."""

    def __init__(self, *script: tuple[int, int, int]) -> None:
        self.ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
        self.script = script
        self.pads: list[tuple[int, ...]] = []

    def step(self, *pads: int) -> None:
        self.pads.append(pads)
        for frame, address, value in self.script:
            if frame == len(self.pads):
                self.ram[address] = value

    def held(self, pad: int = 1) -> list[tuple[int, int, int]]:
        """(first frame, last frame, buttons) of each press on a pad."""
        found: list[tuple[int, int, int]] = []
        for frame, pads in enumerate(self.pads, 1):
            now = int(pads[pad - 1]) if len(pads) >= pad else 0
            if now and found and found[-1][1] == frame - 1 and found[-1][2] == now:
                found[-1] = (found[-1][0], frame, now)
            elif now:
                found.append((frame, frame, now))
        return found


def walker(machine: Machine, text: str, spawn: int = 10**9, **choices: int) -> RouteWalker:
    bound = BoundMap(load_seat_map("player1"), machine.ram, TABLE.codes)
    return RouteWalker(
        machine,  # type: ignore[arg-type]
        Route.parse(text),
        bound,
        lambda: len(machine.pads) == spawn,
        choices,
        origin="it",
        sign=lambda: "no pair came",
    )


def walked(machine: Machine, text: str, spawn: int, **choices: int) -> int:
    going = walker(machine, text, spawn, **choices)
    going.walk()
    assert going.frames == len(machine.pads)
    return going.frames


def test_taps_are_held_and_released_one_after_another() -> None:
    machine = Machine()
    assert walked(machine, "start, down x 2, a+b, wait until spawn", 60) == 60
    tap = ON + OFF
    wanted = [Button.START, Button.DOWN, Button.DOWN, Button.A | Button.B]
    assert machine.held() == [(1 + tap * n, ON + tap * n, int(button)) for n, button in enumerate(wanted)]


def test_the_second_pad_is_pressed_alone() -> None:
    machine = Machine()
    walked(machine, "p2 a, wait until spawn", 20)
    assert machine.held(2) == [(1, ON, int(Button.A))]
    assert machine.held(1) == []


def test_a_number_of_frames_passes_and_nothing_is_pressed() -> None:
    machine = Machine()
    assert walked(machine, "wait 30, start, wait until spawn", 41) == 41
    assert machine.held() == [(31, 30 + ON, int(Button.START))]


def test_a_step_taps_until_its_condition_holds_and_not_at_all_where_it_does() -> None:
    machine = Machine((14, LEVEL, 3))
    walked(machine, "right until level = 3, start, wait until spawn", 40)
    # the second tap is released as soon as level is 3; START begins one frame later, so that the taps stay apart
    assert machine.held() == [
        (1, ON, int(Button.RIGHT)),
        (12, 14, int(Button.RIGHT)),
        (16, 15 + ON, int(Button.START)),
    ]
    machine = Machine()
    walked(machine, "right until level = 0, start, wait until spawn", 40)
    assert machine.held() == [(1, ON, int(Button.START))]


@pytest.mark.parametrize(
    ("test", "value", "holds"),
    [
        ("= 2", 2, True),
        ("= 2", 3, False),
        ("== 2", 2, True),
        ("!= 0", 0, False),
        ("!= 0", 1, True),
        ("< 2", 1, True),
        ("< 2", 2, False),
        ("> 2", 2, False),
        ("> 2", 3, True),
        ("<= 2", 2, True),
        ("<= 2", 3, False),
        (">= 2", 2, True),
        (">= 2", 1, False),
        ("= 0x10", 16, True),
        ("= $level", 4, True),
        ("= $level", 5, False),
    ],
)
@pytest.mark.parametrize("name", ["level", "0x70"])
def test_conditions_compare_an_entry_or_an_address(test: str, value: int, holds: bool, name: str) -> None:
    machine = Machine((1, LEVEL, value))
    choices = {"level": 4} if "$" in test else {}
    machine.ram[LEVEL] = 255 if holds else value
    if test in ("!= 0", "> 2", ">= 2"):
        machine.ram[LEVEL] = 0
    text = f"wait until {name} {test} within 5, wait until spawn"
    if holds:
        assert walked(machine, text, 9, **choices) == 9
    else:
        with pytest.raises(GameError, match="stopped at step 1 of 2"):
            walked(machine, text, 9, **choices)
        assert len(machine.pads) == 5


def test_changes_counts_from_the_beginning_of_the_step_and_and_wants_both() -> None:
    machine = Machine((3, FREE, 7), (9, FREE, 8), (12, LEVEL, 2))
    # the first change comes before the step begins
    walked(machine, "wait 5, wait until 0x7F0 changes, a, wait until spawn", 30)
    assert machine.held() == [(10, 9 + ON, int(Button.A))]
    machine = Machine((9, FREE, 8), (12, LEVEL, 2))
    walked(machine, "wait until 0x7F0 = 8 and level = 2, a, wait until spawn", 30)
    assert machine.held() == [(13, 12 + ON, int(Button.A))]


def test_a_step_gives_up_after_its_patience() -> None:
    for text, frames in (("a until level = 9", 1800), ("a until level = 9 within 7", 7)):
        machine = Machine()
        with pytest.raises(GameError, match=rf"stopped at step 2 of 3, .* after {frames:,} frames;"):
            walked(machine, f"wait 2, {text}", 10**9)
        assert len(machine.pads) == frames + 2
    with pytest.raises(GameError, match=r"then level = 0, mode = 0, state = 0$"):
        walked(Machine(), "a until level = 9 within 3", 10**9)
    with pytest.raises(GameError, match=r"; no pair came$"):
        walked(Machine(), "a until spawn within 3", 10**9)


def test_a_pair_that_appears_early_is_none_but_in_the_last_steps() -> None:
    """A demonstration may deal pairs while the menus are still to come."""
    with pytest.raises(GameError, match="stopped at step 3 of 3"):
        walked(Machine(), "start, down, wait until spawn within 30", 5)
    # if the route doesn't end with ``until spawn``, the pair may appear during its last step
    assert walked(Machine(), "start, down", 15) == 15
    with pytest.raises(GameError, match="stopped at step 3 of 3"):
        walked(Machine(), "start, down", 5)
    assert walked(Machine(), "start, a until spawn", 30) == 30


def test_choices_nobody_made_are_left_out_and_such_as_no_step_makes_refused() -> None:
    text = "right until level = $level, down until 0x7F0 = $colors, wait until spawn"
    machine = Machine((4, LEVEL, 2))
    walked(machine, text, 20, level=2, mode=0)
    assert machine.held() == [(1, 4, int(Button.RIGHT))]
    with pytest.raises(UsageError, match=r"doesn't choose items: add a step such as 'right until items = \$items'"):
        walker(Machine(), text, items=1)
    with pytest.raises(MapError, match="nothing_of_the_kind"):
        walker(Machine(), "a until nothing_of_the_kind = 1")
    with pytest.raises(MapError, match="the menu step"):
        walker(Machine(), "a until 0xFFFFF = 1")


def test_a_stop_ends_the_walk_before_the_next_frame() -> None:
    machine = Machine()
    going = walker(machine, "wait 30")
    going._stopped = lambda: len(machine.pads) >= 4
    with pytest.raises(KeyboardInterrupt):
        going.walk()
    assert len(machine.pads) == 4


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([], "1 to 200 steps, not 0"),
        (["a"] * 201, "1 to 200 steps, not 201"),
        (7, "list of steps"),
        (["a", 7], "a step is a text"),
        ("a x 0", "give 1 to 200 taps"),
        ("a x 201", "give 1 to 200 taps"),
        ("a 5", "several taps are said with x"),
        ("wait", "give wait until CONDITION"),
        ("wait x 5", "give wait until CONDITION"),
        ("p2 wait 5", "give wait until CONDITION"),
        ("wait 20001", "to 20,000"),
        ("a until spawn within 0", "within goes from 1"),
        ("a until spawn within 20001", "within goes from 1"),
        ("q", "there is no button 'q'"),
        ("a until level", "is no condition"),
        ("a until level = 1 and", "is no condition"),
        (f"a until {'x' * 192} = 1", "longer than 200"),
        ("a b", "makes no sense"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_step(said: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Route.parse(said)


def test_the_longest_that_is_taken() -> None:
    steps = Route.parse(["a x 200", "wait 20000", "a until spawn within 20000", *["b"] * 197]).steps
    assert len(steps) == 200
    assert (steps[0].times, steps[1].frames, steps[2].within, steps[0].within) == (200, 20_000, 20_000, 1800)
    assert Route.parse(f"a until {'x' * 188} = 1").names == {"x" * 188}
    assert [step.pad for step in Route.parse("p1 a, p2 a, a").steps] == [1, 2, 1]
