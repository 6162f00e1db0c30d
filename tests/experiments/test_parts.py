"""Small parts of the experiments, each beside a naive reckoning of the same."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import draft
from ochibot.experiments.digits import FORMS, Form
from ochibot.experiments.draft import MOST_TURNED, SURE_TURNS
from ochibot.experiments.driver import HIGHEST_KICK, Driver, Place
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.explore import MOST_LATER, MOST_RESTLESS, Explorer
from ochibot.experiments.fields import Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.heights import Heights, find_heights
from ochibot.experiments.landings import Landing
from ochibot.experiments.motion import NOTHING, Motion
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.turning import Turning
from ochibot.experiments.versus import _before, _limited, _offset, _suggested
from ochibot.experiments.waiting import Pending

from tests.experiments.frames import Frames


def number_of(form: Form, part: list[int]) -> int:
    """The number by hand: digit by digit from the highest one. -1 for bytes that are none."""
    text = part[::-1] if form.little else part
    if form.digits == "decimal":
        digits = [byte - form.zero for byte in text]
        blanks = 0
        while blanks < len(digits) and not 0 <= digits[blanks] <= 9 and digits[blanks] == digits[0]:
            blanks += 1
        rest = digits[blanks:]
        return int("0" + "".join(map(str, rest))) if all(0 <= one <= 9 for one in rest) else -1
    if form.digits == "bcd":
        shown = "".join(f"{byte:02x}" for byte in text)
        return int(shown) if shown.isdigit() else -1
    return int.from_bytes(bytes(text), "big")


@pytest.mark.parametrize("digits", ["", "bcd", "decimal"])
def test_numbers_of_all_forms_are_read_as_they_stand_there(digits: str) -> None:
    dice = random.Random(digits)
    for form in FORMS:
        if form.digits != digits:
            continue
        rows = []
        for _ in range(30):
            first, many = dice.choice(((0, 256), (form.zero, 11)))
            blank = dice.randrange(256)
            row = [first + dice.randrange(many) & 255 for _ in range(form.width)]
            blanks = dice.choice((0, 0, 1, 2, form.width))
            rows.append([blank] * blanks + row[blanks:] if not form.little else row[blanks:] + [blank] * blanks)
        if digits == "bcd":
            rows += [[dice.randrange(10) << 4 | dice.randrange(10) for _ in range(form.width)] for _ in range(9)]
        wanted = [number_of(form, row) for row in rows]
        assert form.read_all(np.array(rows, np.uint8)).tolist() == wanted
        assert any(number >= 0 for number in wanted)
        ram = np.array([byte for row in rows for byte in row], np.uint8)
        assert form.read(ram)[:: form.width].tolist() == wanted
        most = {"": 256, "bcd": 100, "decimal": 10}[digits] ** form.width - 1
        number = dice.randrange(most)
        written = form.written(number)
        assert number_of(form, written) == number
        assert number_of(form, [form.most] * form.width) == most
        assert written[form.place(0)] == min(written[form.place(0)], form.most)
        assert number_of(form, [*form.written(0)]) == 0


def test_the_lowest_byte_of_a_number_is_where_one_more_changes_it() -> None:
    for form in FORMS:
        one, none = form.written(1), form.written(0)
        assert [at for at in range(form.width) if one[at] != none[at]] == [form.place(0)]


@pytest.mark.parametrize("step", [1, -1, 8, -8])
def test_a_depth_is_counted_from_where_pieces_appear_unless_it_is_near(step: int) -> None:
    for top in (0, 5, 100, 250):
        for sunk in range(-64, 128):
            now = top + sunk * (1 if step > 0 else -1) & 255
            driver: Any = SimpleNamespace(top=top, y=Place(1, step))
            start = Driver._start(driver, now)
            # a kick, up or down, or a piece that has hardly sunk
            assert start == (top if far(sunk) else now)
    assert Driver._start(SimpleNamespace(top=None, y=Place(1, step)), 9) == 9  # type: ignore[arg-type]


def far(sunk: int) -> bool:
    return not -HIGHEST_KICK <= sunk <= HIGHEST_KICK


@pytest.mark.parametrize(
    ("evidence", "grade"),
    [
        (Evidence(12), "known"), (Evidence(11), "likely"), (Evidence(4), "likely"), (Evidence(3), "unknown"),
        (Evidence(16, 1), "known"), (Evidence(15, 1), "likely"), (Evidence(32, 2), "known"),
        (Evidence(12, 6), "likely"),
        (Evidence(12, 7), "unknown"), (Evidence(12, others=2), "known"), (Evidence(99, doubt="why not"), "likely"),
    ],
)  # fmt: skip
def test_a_fact_is_as_sure_as_its_observations(evidence: Evidence, grade: str) -> None:
    assert evidence.grade == grade
    against, others = evidence.contradicted, evidence.others
    assert str(evidence) == (
        f"{grade}: seen {evidence.supported} times"
        + (f", {against} observation{'s' if against > 1 else ''} against it" if against else "")
        + (f", {others} other candidates" if others else "")
        + (f", but {evidence.doubt}" if evidence.doubt else "")
    )


@pytest.mark.parametrize(("base", "step", "stride"), [(0, 1, 1), (13, -1, 2), (200, 16, -3)])
def test_a_row_of_heights_is_found_beside_a_field(base: int, step: int, stride: int) -> None:
    dice = np.random.default_rng(7)
    field = Field(Grid(90, 1, -6, 6, 0), 10, 1, 9, 0, 1, 1, ((7, 9),), 9, 9)
    landings = []
    for number in range(60):
        ram = np.zeros(256, np.uint8)
        ram[200:] = dice.integers(0, 256, 56)
        for column in range(6):
            # now and then a column is higher than the rows that were seen
            height = int(dice.integers(0, 9))
            for row in range(height):
                ram[field.grid.cell(column, row)] = 7
            ram[150 + column * stride] = base + step * height & 255
        if number % 20 == 0:
            # a height that is written late
            ram[152] ^= 1
        landings.append(Landing(b"", ram, ram, ram, 0, 0, 0, 0, 0))
    assert list(find_heights(field, landings)) == [Heights(150, stride, base, step)]
    for one in landings[:12]:
        one.before[150 + 4 * stride] = 77
    assert not list(find_heights(field, landings))


class Menus(Frames):
    """Screens in a row: only START leads on to the next one. What is at a screen, ``wanted`` tells."""

    size, frames, spent = 4, 0, False

    def __init__(self, last: int) -> None:
        self.last, self.screen, self.down = last, 0, 0
        self.console = SimpleNamespace(frame=lambda: np.full((2, 2, 3), self.screen, np.uint8))

    def save(self) -> bytes:
        return bytes([self.screen, self.down])

    def load(self, state: bytes) -> None:
        self.screen, self.down = state

    def step(self, pad: int = 0) -> None:
        fresh = pad == int(Button.START) and not self.down
        self.screen, self.down = min(self.last, self.screen + fresh), int(pad == int(Button.START))

    def snap(self) -> Any:
        return np.array([self.screen, 0, 0, 0], np.uint8)


RESTLESS = Motion({0: 1}, {1: 1}, rests=False)


def test_a_search_ends_after_some_screens_on_which_nothing_comes_to_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Explorer, "_route", lambda _self, node, seen: (node.path, seen))
    visited: list[int] = []

    def wanted(_: Any, state: bytes) -> Motion:
        visited.append(state[0])
        return RESTLESS if state[0] >= 3 else NOTHING

    menus: Any = Menus(40)
    found: Any = Explorer(menus).find(wanted)
    # the first of them is the best that is known
    assert ([button for button, _ in found[0]], found[1]) == ([int(Button.START)] * 3, RESTLESS)
    assert sum(screen >= 3 for screen in visited) == MOST_RESTLESS
    # a demo that comes to rest is better
    doubtful = Motion({0: 1}, {1: 1}, doubtful=True)
    menus = Menus(12)
    found = Explorer(menus).find(
        lambda _rig, state: doubtful if state[0] == 2 else RESTLESS if state[0] in (1, 4) else NOTHING
    )
    assert found[1] is doubtful


def test_a_search_waits_on_where_no_screen_comes_but_not_for_ever() -> None:
    menus: Any = Menus(0)
    with pytest.raises(CalibrationError, match=f"on {1 + MOST_LATER} screens"):
        Explorer(menus).find(lambda *_: NOTHING)


@dataclass
class Foreign:
    """It is no part of the experiments."""

    number: int


def test_a_notebook_keeps_what_the_experiments_found_and_nothing_else() -> None:
    book = Notebook(None, "x")
    kept = Evidence(3, 1, 2, "why"), {1: (2, b"34")}, Button.A, None, True, 2.5
    assert book.page("kept", lambda: kept) == kept
    with pytest.raises(TypeError, match="Foreign can't be kept"):
        book.page("foreign", lambda: Foreign(1))


def test_what_was_turned_down_for_one_fact_says_nothing_of_another() -> None:
    book = Notebook(None, "x")
    for fact, places in (("a", (1, 2)), ("b", (3,)), ("c", (4,)), ("b", (5, 3))):
        book.turn_down(fact, "one", str(places), places)
    assert [book.refused(fact) for fact in "abcd"] == [{1, 2}, {3, 5}, {4}, set()]
    assert [book.tried(fact) for fact in "abcd"] == [1, 2, 1, 0]


def test_numbers_that_grow_with_the_other_seat_s_points_may_be_what_waits() -> None:
    dice = np.random.default_rng(3)
    seen = []
    for points in (140, 420, 700, 1330):
        ram = dice.integers(0, 256, 64).astype(np.uint8)
        ram[10], ram[20], ram[21], ram[31], ram[30] = points // 70, points & 255, points >> 8, points & 255, points >> 8
        seen.append((points, ram))
    found = [(one.place, one.each, one.kind) for one in _suggested(seen)]
    assert (10, 70, "u8") in found
    assert {(place, kind) for place, _, kind in found if kind != "u8"} == {(20, "u16le"), (30, "u16be")}
    assert {place for place, _, kind in found if kind == "u8"} == {10}


def test_the_number_from_which_nuisance_moves_is_the_one_that_shrinks_with_it() -> None:
    frames = np.zeros((6, 32), np.uint8)
    frames[:, 5] = (0, 0, 3, 3, 9, 9)
    frames[:, 8] = (9, 9, 6, 6, 0, 0)
    frames[:, 12] = (3, 3, 0, 0, 0, 0)
    frames[:, 2] = (9, 8, 5, 4, 3, 2)
    assert _before(Pending(5, 70), [frames]) == 8
    # where nothing moves, nothing is told; where it comes from nowhere, there is no such number
    assert _before(Pending(5, 70), [frames[::-1], frames, frames[:2]]) == 8
    alone = np.zeros_like(frames)
    alone[:, 5] = frames[:, 5]
    assert _before(Pending(5, 70), [frames, alone]) is None
    assert _before(Pending(5, 70), [alone, frames]) is None
    wide = np.zeros((3, 32), np.uint8)
    wide[:, 5:7] = ((0, 0), (44, 1), (44, 1))
    wide[:, 9:11] = ((44, 1), (0, 0), (0, 0))
    assert _before(Pending(5, 70, "u16le"), [wide]) == 9


@dataclass
class Waiting:
    """A seat on which what waits in a byte falls, at most ``most`` at once. own: its own points cancel some."""

    most: int
    queued: bool
    own: bool = True

    def __post_init__(self) -> None:
        self.ground = self
        self.colors, self.columns = (1, 2, 3), (0,)
        self.grid = SimpleNamespace(columns=6)

    def kinds(self, ram: Any) -> dict[int, int]:
        return dict(enumerate([9] * int(ram[1])))

    def drop(self, *, pokes: dict[int, int], **_: Any) -> Any:
        fell = min(self.most, pokes[0])
        return SimpleNamespace(ram=np.array([(pokes[0] - fell) * self.queued, fell], np.uint8))

    def lock(self, cells: dict[Any, int], _column: int, _low: int, _high: int, pokes: dict[int, int]) -> Any:
        # a group of so many cells is worth 70 points each
        return self.drop(pokes={0: pokes[0] - (len(cells) + 1) * self.own})


@pytest.mark.parametrize("queued", [True, False])
@pytest.mark.parametrize("own", [True, False])
def test_how_much_falls_at_once_and_what_becomes_of_the_rest(queued: bool, own: bool) -> None:
    seat: Any = Waiting(30, queued, own)
    found = _limited(seat, Pending(0, 70), 9)
    assert (found.most, found.queued) == (30, queued)
    worth = {f"group {count}": 70 * count for count in range(3, 12)}
    assert _offset(seat, Pending(0, 70), 9, worth) is own
    assert _offset(seat, Pending(0, 70), 9, {}) is None
    assert _limited(Waiting(200, queued), Pending(0, 70), 9) == Pending(0, 70)  # type: ignore[arg-type]


SHOWN = Turning(Button.A, Button.B, 5, (0, 1, 2, 3))
ALIKE = replace(SHOWN, cycle=(0, 1, 0, 1))


@pytest.mark.parametrize(
    ("seen", "told", "pieces"),
    [
        # after so many pieces that agree, no more is turned
        ([SHOWN] * 20, SHOWN, 1 + SURE_TURNS),
        # a piece that looks alike after two turns tells less than the next one
        ([ALIKE, SHOWN] + [SHOWN] * 20, SHOWN, 2 + SURE_TURNS),
        ([None, ALIKE, SHOWN, None, ALIKE] + [SHOWN] * 20, SHOWN, MOST_TURNED),
        # bytes of a piece's codes turn with it, and are others for the next piece
        ([SHOWN, replace(SHOWN, place=6)], replace(SHOWN, place=None, cycle=()), 2),
        ([SHOWN, replace(SHOWN, cycle=(4, 5, 6, 7))], replace(SHOWN, place=None, cycle=()), 2),
        ([ALIKE] * 40, ALIKE, MOST_TURNED),
        ([None] * 40, None, MOST_TURNED),
        # the game ends
        ([SHOWN, ALIKE], SHOWN, 2),
        ([None], None, 1),
    ],
)
def test_pieces_are_turned_until_enough_agree(
    seen: list[Turning | None], told: Turning | None, pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    turned: list[bytes] = []

    def find(_: Any, state: bytes) -> Turning:
        turned.append(state)
        found = seen[len(turned) - 1]
        if found is None:
            raise CalibrationError("no button turns the piece")
        return found

    def fall(state: bytes) -> Any:
        if len(turned) == len(seen):
            raise CalibrationError("no next piece comes")
        return SimpleNamespace(state=state + b"+")

    monkeypatch.setattr(draft, "find_turning", find)
    driver: Any = SimpleNamespace(fall=fall)
    assert draft._turning(driver, b"") == told
    # each piece is another one
    assert turned == [b"+" * number for number in range(pieces)]
