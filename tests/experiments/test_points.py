"""The score of a game whose rules aren't known. On RAM made by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.experiments import draft
from ochibot.experiments.events import Event
from ochibot.experiments.points import Number, find_number
from ochibot.experiments.rig import Bytes
from ochibot.experiments.turning import Turning

SIZE = 48
LINES, DROP = 30, 31
"""The bytes that say, before a piece lands, how many lines it fills and how far it falls."""

PLAYED = (0, 1, 0, 2, 0, 0, 4, 0, 3, 0, 1, 0, 0, 2, 0, 4, 0, 0, 1, 0)
Rules = Callable[[Bytes, int, int], None]
"""Changes RAM where so many lines vanish, after a fall of so many rows."""


def add(ram: Bytes, places: Sequence[int], points: int, zero: int = 0x30) -> None:
    """Adds to a number of single digits."""
    number = int("".join(str(int(ram[at]) - zero) for at in places)) + points
    for at, digit in zip(places, f"{number:0{len(places)}}"[-len(places) :], strict=True):
        ram[at] = int(digit) + zero


class Game:
    """A rig and a driver of a game whose pieces land at once. rolls: what RAM is so many frames after that."""

    size = SIZE
    drawn: Mapping[int, int] = {}
    y = SimpleNamespace(offset=40, step=1)

    def __init__(self, rules: Rules, frame: Callable[[Bytes, int], None] = lambda *_: None) -> None:
        self.rig, self.rules, self.frame = self, rules, frame

    def branch(self, state: bytes, pads: Sequence[int]) -> Bytes:
        seen = np.tile(np.frombuffer(state, np.uint8), (len(pads), 1))
        for number, ram in enumerate(seen):
            self.frame(ram, number)
        return seen

    def fall(self, state: bytes, *, pokes: Mapping[int, int], **_: Any) -> Any:
        ram = np.frombuffer(state, np.uint8).copy()
        for at, value in pokes.items():
            ram[at] = value
        self.rules(ram, int(ram[LINES]), int(ram[DROP]))
        return SimpleNamespace(ram=ram)

    def played(self, lines: Sequence[int], begun: Mapping[int, int], gone: Sequence[int] = ()) -> list[Event]:
        now = np.zeros(SIZE, np.uint8)
        now[list(begun)] = list(begun.values())
        events = []
        for number, count in enumerate(lines):
            now = now.copy()
            now[LINES], now[DROP] = count, 2 + 7 * number % 12
            then = self.fall(now.tobytes(), pokes={}).ram
            events.append(Event(now.tobytes(), {}, 0, (), now, then, gone[number] if gone else 10 * count))
            now = then
        return events

    def found(self, events: Sequence[Event], taken: Sequence[int] = ()) -> Number | None:
        return find_number(self, events, [], {LINES, DROP, *taken})  # type: ignore[arg-type]


DIGITS = range(4, 10)
WITH_DIGITS = {**dict.fromkeys(DIGITS, 0x30), 3: 0x20}


def pay(ram: Bytes, lines: int, drop: int) -> None:
    add(ram, DIGITS, (0, 100, 300, 500, 800)[lines] + drop)


def is_the_digits(found: Number | None) -> bool:
    if found is None:
        return False
    form = found.form
    return (found.offset + form.place(0), form.digits, form.zero, found.kept) == (9, "decimal", 0x30, True)


def test_many_pieces_after_which_cells_are_gone_may_pay_nothing() -> None:
    """What was hit by an opponent's blocks, or blew itself up, pays nothing (stranger 441)."""
    game = Game(pay)
    lines = PLAYED * 2
    events = game.played(lines, WITH_DIGITS, [10 * count or 3 * (number % 5 < 3) for number, count in enumerate(lines)])
    assert is_the_digits(game.found(events))


def test_a_number_of_two_counters_is_no_score_though_it_seems_to_carry() -> None:
    """The number of full rows stands above the lines to the next level: both change by one as a line vanishes, as if
    255 were added (game_g.gb).
    """

    def rules(ram: Bytes, lines: int, drop: int) -> None:
        pay(ram, lines, drop)
        if lines:
            ram[20], ram[21] = lines, (int(ram[21]) - lines) % 256

    game = Game(rules)
    events = [event for _ in range(4) for event in game.played((0, 0, 0, 1), {**WITH_DIGITS, 21: 10})]
    events += [event for count in (2, 3, 4) for event in game.played((0, count), {**WITH_DIGITS, 21: 10})]
    assert is_the_digits(game.found(events))
    alone = game.found(events, DIGITS)
    assert alone is None or not alone.kept


def test_digits_of_another_number_behind_it_are_not_the_scores() -> None:
    """Lines are counted in digits that follow the score's (game_j.nes)."""

    def rules(ram: Bytes, lines: int, drop: int) -> None:
        pay(ram, lines, drop)
        add(ram, range(10, 13), lines)

    game = Game(rules)
    assert is_the_digits(game.found(game.played(PLAYED, {**WITH_DIGITS, **dict.fromkeys(range(10, 13), 0x30)})))


def test_a_score_that_still_rolls_up_as_the_next_piece_comes() -> None:
    """Seconds go on all the time (stranger 474)."""

    def frame(ram: Bytes, number: int) -> None:
        if number < 20:
            add(ram, DIGITS, number)
        else:
            add(ram, DIGITS, 20)
        add(ram, range(14, 20), number // 60 + 1)

    game = Game(pay, frame)
    events = game.played(PLAYED, {**WITH_DIGITS, **dict.fromkeys(range(14, 20), 0x30)})
    assert is_the_digits(game.found(events))


def test_a_piece_that_is_drawn_is_watched_until_it_is_as_low_as_it_gets() -> None:
    """It lands, and pays, while y stays there until the next one comes (stranger 474)."""

    def frame(ram: Bytes, number: int) -> None:
        ram[40] = min(number // 10, 4)
        if number > 80:
            add(ram, DIGITS, 10)

    game = Game(pay, frame)
    events = game.played(PLAYED, WITH_DIGITS)
    assert game.found(events) is None
    game.drawn = {0: 1}
    assert is_the_digits(game.found(events, [40]))


@pytest.mark.parametrize("wrong", [0, 1])
def test_what_keeps_no_poke_is_the_score_only_if_nothing_contradicts_it(wrong: int) -> None:
    """A list of what is to be drawn grows with most clears, too (game_e.nes)."""

    def rules(ram: Bytes, lines: int, _: int) -> None:
        # the score itself is out of sight
        ram[24] = (int(ram[24]) // 5 + lines) * 5

    game = Game(rules)
    events = game.played(PLAYED, {})
    lost = [Event(one.state, one.pokes, 0, (), one.before, one.after, one.gone) for one in events]
    if wrong:
        lost[0] = Event(events[0].state, {}, 0, (), events[0].before, events[0].after, 4)
    game.rules = lambda *_: None
    found = game.found(lost)
    assert (found is None) == bool(wrong)
    assert found is None or (found.kept, found.evidence.grade) == (False, "likely")


def test_bytes_of_the_score_tell_no_control(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score's low byte was taken for a timer that tells control (stranger 503)."""
    seen: list[set[int]] = []
    number = Number(8, SimpleNamespace(width=3, place=lambda power: power), None)  # type: ignore[arg-type]
    monkeypatch.setattr(draft, "find_number", lambda *_: number)
    monkeypatch.setattr(draft, "find_control", lambda *given: seen.append({*given[-1]}))
    for name in ("find_over", "find_told", "_doubt", "_learn_shapes"):
        monkeypatch.setattr(draft, name, lambda *_: [])
    monkeypatch.setattr(draft, "events_of", lambda *_: ([], [], None))
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=lambda: []), x=(1, 1), y=(2, 1))
    made = draft.Draft(SimpleNamespace(motion=None), basis, "", None)  # type: ignore[arg-type]
    driver: Any = SimpleNamespace()
    monkeypatch.setattr(draft, "came", lambda *_: SimpleNamespace(cells=()))
    monkeypatch.setattr(draft, "clean", lambda *_: False)
    draft._learn(made, driver, driver, [SimpleNamespace(state=b"")], basis.place)  # type: ignore[list-item]
    assert seen == [{1, 2, 8, 9, 10}]


@pytest.mark.parametrize("cells", [1, 2])
def test_a_single_cell_has_no_orientation(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game of single grains, a byte of the pad's was said to be the orientation."""
    for name in ("find_number", "find_control", "find_over"):
        monkeypatch.setattr(draft, name, lambda *_: None)
    for name in ("find_told", "_doubt", "exchanges"):
        monkeypatch.setattr(draft, name, lambda *_: [])
    monkeypatch.setattr(draft, "events_of", lambda *_: ([], [], None))
    monkeypatch.setattr(draft, "came", lambda *_: SimpleNamespace(cells=()))
    monkeypatch.setattr(draft, "clean", lambda *_: False)
    shape = tuple((0, row) for row in range(cells))
    monkeypatch.setattr(draft, "_learn_shapes", lambda made, _: made.shapes.update({(None, 0): shape}))
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=lambda: []), x=(1, 1), y=(2, 1))
    turning = Turning(Button.A, None, 7, (4, 0, 4, 0))
    made = draft.Draft(SimpleNamespace(motion=None), basis, "", turning)  # type: ignore[arg-type]
    draft._learn(made, SimpleNamespace(), SimpleNamespace(), [SimpleNamespace(state=b"")], basis.place)  # type: ignore[arg-type, list-item]
    assert made.turning is (None if cells == 1 else turning)


def test_high_bytes_into_which_something_is_carried_anyway_are_the_scores() -> None:
    """What was poked was compared with a game in which the same byte changed by itself (stranger 486)."""

    def rules(ram: Bytes, lines: int, drop: int) -> None:
        points = int.from_bytes(bytes(ram[8:11]), "big") + (0, 40, 100, 300, 1200)[lines] + 10
        # the score has a limit, and behind it is what the last step brought
        ram[8:11] = list(min(points, 65_530).to_bytes(3, "big"))
        ram[11] = 8 * (drop > 6) if lines else int(ram[11])

    game = Game(rules)
    lines = (0, 1, 0, 2, 0, 1, 1, 0, 3, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 0)
    found = game.found(game.played(lines, {10: 100}))
    assert found is not None
    assert (found.place(0), found.place(1), found.form.little, found.kept) == (10, 9, False, True)
