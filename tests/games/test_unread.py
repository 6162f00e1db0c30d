"""Compares what a seat knows of unread rows (rows that the map lacks) with the field of a simulated game."""

from __future__ import annotations

import random

import numpy as np
import pytest
from ochibot.console import NES, Ram
from ochibot.errors import FieldError, MapError
from ochibot.games.puyoseat import PuyoSeat
from ochibot.games.unread import PartlySeen
from ochibot.puyo import Field, Orientation, Pair, Placement
from ochibot.puyo.family import FAMILY
from ochibot.puyo.forecast import Settled
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot

from tests.games.othergame import map_of, seat_of, with_rows
from tests.puyo import FAMICOM, TSU

BASE = 0x200
CELL_NAMES = ("empty", "red", "green", "blue", "yellow", "purple", "cyan", "nuisance")
OTHERS = {
    name: {"address": 0x10 + at}
    for at, name in enumerate(("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner"))
}


def sit_down(
    rules: Rules, top: int, rows: int | None = None, other: dict[str, object] | None = None
) -> tuple[Ram, PuyoSeat]:
    """RAM, and a seat whose map has the field's rows from ``top`` on (``rows``: how many, if not all of them).

    ``other``: an entry to use for the field instead.
    """
    field = {
        "address": BASE + 6 * top,
        "rows": rows or 14 - top,
        "columns": 6,
        "row_stride": 6,
        "column_stride": 1,
        "codes": "puyo",
        "top": top,
    }
    content = {
        "entries": {**OTHERS, "field": other or field, "sign": {"address": 0x30}, "pending": {"address": 0x31}},
        "codes": {"puyo": dict(enumerate(CELL_NAMES))},
        "signs": {"spawn": {"entry": "sign", "is": 1}, "control": {"entry": "sign", "is": 2}},
    }
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    return ram, seat_of(map_of(content), ram, rules)


class Simulated:
    """A game that follows the rules and writes its field to RAM. Its ``field`` holds the unread rows too."""

    def __init__(self, rules: Rules, top: int, seed: int) -> None:
        self.rules, self.top = rules, top
        self.dice = random.Random(seed)
        self.ram, self.seat = sit_down(rules, top)
        self.field = Field.empty()
        self.show()
        self.seat.resync()

    def show(self) -> None:
        cells = self.field.cells.reshape(-1)
        # the rows that the map lacks hold random codes
        self.ram.raw[BASE : BASE + 84] = cells
        self.ram.raw[BASE : BASE + 6 * self.top] = self.dice.choices(range(8), k=6 * self.top)

    def announce(self) -> None:
        self.ram[0x30] = 0
        self.seat.update()
        self.show()
        self.ram[0x30] = 1
        assert self.seat.update()

    def snapshot(self) -> Snapshot:
        pair, following = (Pair(self.dice.randint(1, 4), self.dice.randint(1, 4)) for _ in range(2))
        return Snapshot(self.seat.field(), pair, following, 0, self.rules.spawn)

    def dropped(self, count: int) -> Field:
        """The field after ``count`` nuisance puyos have fallen into random columns."""
        cells = self.field.cells.copy()
        columns = list(range(6))
        while count > 0 and columns:
            if self.rules.nuisance.full_columns == "skip":
                columns = [x for x in columns if not cells[self.rules.kept_top, x]]
            self.dice.shuffle(columns)
            for x in columns[:count]:
                free = [y for y in range(self.rules.kept_top, 14) if not cells[y, x]]
                cells[max(free, default=0), x] = 7 if free else cells[0, x]
            count -= 6 if self.rules.nuisance.full_columns == "lose" else len(columns)
        return Field.from_cells(cells)


def wanted(game: Simulated, snapshot: Snapshot) -> Placement | None:
    """One of the highest placements that fit the true field and don't end the game; None if there is none."""
    truth = snapshot.field if game.seat._unread is None else game.field
    there = []
    for placement in FAMILY.placements(snapshot, game.rules):
        try:
            outcome = place(truth, snapshot.pair, placement, game.rules)
        except FieldError:
            continue
        if not outcome.game_over:
            there.append(placement)
    high = sorted(there, key=lambda one: one.y)[: 1 + game.dice.randrange(6)]
    return game.dice.choice(high) if high else None


@pytest.mark.parametrize(
    ("rules", "top"),
    [
        (FAMICOM, 1),
        (with_rows(12, 1), 2),
        pytest.param(with_rows(12, 2), 2, marks=pytest.mark.long),
        (TSU, 2),
        pytest.param(with_rows(12, 2), 1, marks=pytest.mark.long),
    ],
    ids=["13+1", "12+1", "12+2", "tsu", "12+2, one of them read"],
)
@pytest.mark.parametrize("nuisance", [False, True], ids=["alone", "with nuisance"])
def test_no_lock_contradicts_and_the_truth_is_among_what_is_known(rules: Rules, top: int, nuisance: bool) -> None:
    locks = hidden = certain = 0
    for seed in range(12):
        game = Simulated(rules, top, seed)
        game.announce()
        for _ in range(50):
            snapshot = game.snapshot()
            game.seat.fresh()
            placement = wanted(game, snapshot)
            if placement is None:
                break
            forecast = game.seat.forecast(snapshot, placement)
            assert isinstance(forecast, PartlySeen)
            before = game.field
            game.field = place(before, snapshot.pair, placement, rules).field
            count = game.dice.choice([0, 0, 1, 3, 6, 8]) if nuisance else 0
            game.field = game.dropped(count)
            game.ram[0x31] = count
            game.seat.update()
            game.ram[0x31] = 0
            game.announce()
            seen = game.seat.settled()
            assert seen.fallen == count
            assert forecast.covers(seen), forecast.describe(seen)
            above = game.field.cells.tobytes()[: 6 * top]
            ways = forecast.fillings(seen)
            assert above in ways
            # a wrong cell in a read row is reported, whatever the unread rows hold
            wrong = seen.field.cells.copy()
            wrong[13, seed % 6] = wrong[13, seed % 6] % 6 + 1
            assert not forecast.covers(Settled(Field.from_cells(wrong), fallen=count))
            locks += 1
            hidden += any(above)
            certain += len(ways) == 1
    assert locks > 60
    assert hidden > 10
    assert certain == locks if not nuisance else certain > locks // 4


def test_until_the_pair_has_locked_its_forecast_says_nothing_of_the_unread_row() -> None:
    game = Simulated(FAMICOM, 1, 1)
    game.field = Field.parse("\n".join(["RG...." if row % 2 else "GR...." for row in range(13)]))
    game.announce()
    snapshot = Snapshot(game.seat.field(), Pair(3, 3), Pair(1, 2), 0, FAMICOM.spawn)
    game.seat.fresh()
    # both halves come to rest side by side in the unread row
    hidden = next(
        Placement(2, 0, turn)
        for turn in (Orientation.LEFT, Orientation.RIGHT)
        if not place(game.field, snapshot.pair, Placement(2, 0, turn), FAMICOM).field.cells[1:, 2:].any()
    )
    after = place(game.field, snapshot.pair, hidden, FAMICOM).field
    assert after.cells[0].any()
    assert (after.cells[1:] == game.field.cells[1:]).all()
    game.seat.forecast(snapshot, hidden)
    assert game.seat.field() == game.field


@pytest.mark.parametrize(("rows", "columns"), [(14, 5), (14, 7), (13, 5)])
def test_a_field_of_other_columns_is_refused(rows: int, columns: int) -> None:
    field = {"address": 0x200, "rows": rows, "columns": columns, "row_stride": 8, "column_stride": 1, "codes": "puyo"}
    with pytest.raises(MapError, match="must be a grid of 14 rows and 6 columns"):
        sit_down(FAMICOM, 0, other={**field, "top": 14 - rows})


def test_a_pair_that_landed_elsewhere_shows_the_unread_rows_too() -> None:
    rules = FAMICOM
    game = Simulated(rules, 1, 1)
    game.field = Field.parse("\n".join(["B....."] + ["RG...." if row % 2 else "GR...." for row in range(12)]))
    game.announce()
    snapshot = Snapshot(game.seat.field(), Pair(3, 3), Pair(1, 2), 0, rules.spawn)
    assert snapshot.field == game.field
    game.seat.fresh()
    there = FAMILY.placements(snapshot, rules)
    high = [one for one in there if place(game.field, snapshot.pair, one, rules).field.cells[0].any()]
    meant, landed = next(one for one in there if one not in high), high[0]
    game.seat.forecast(snapshot, meant)
    game.field = place(game.field, snapshot.pair, landed, rules).field
    assert game.field.cells[0].any()
    game.announce()
    # every landing that fits the rows below is kept as a possibility, the true one among them
    following = Snapshot(game.seat.field(), Pair(1, 2), Pair(1, 2), 0, rules.spawn)
    game.seat.fresh()
    forecast = game.seat.forecast(following, FAMILY.placements(following, rules)[0])
    assert isinstance(forecast, PartlySeen)
    assert game.field in [one.before.field for one in forecast.predictions]
    assert all(one.before.field.cells[0].any() for one in forecast.predictions)


def test_after_a_savestate_the_unread_row_is_taken_as_empty_and_above_gaps_nothing_rests() -> None:
    game = Simulated(FAMICOM, 1, 1)
    game.field = Field.from_cells(np.full((14, 6), 7))
    game.show()
    assert game.seat.field().cells[0].tolist() == [0] * 6
    assert game.seat.field().cells[1:].all()


@pytest.mark.parametrize(
    ("rules", "top", "rows", "words"),
    [
        (FAMICOM, 2, 12, "begins in row 2, so it doesn't show all visible rows, the first of which is row 1"),
        (FAMICOM, 1, 12, "its last one is row 12; it must be the floor, row 13: correct rows or top"),
        (FAMICOM, 0, 15, "its last one is row 14"),
        (TSU, 3, 11, "the first of which is row 2"),
    ],
)
def test_grids_that_miss_visible_rows_or_the_floor_are_refused(rules: Rules, top: int, rows: int, words: str) -> None:
    with pytest.raises(MapError, match=words):
        sit_down(rules, top, rows)


def test_other_rows_without_top_are_asked_for_it() -> None:
    field = {"address": 0x200, "rows": 13, "columns": 6, "row_stride": 6, "column_stride": 1, "codes": "puyo"}
    with pytest.raises(MapError, match=r"a grid of 14 rows and 6 columns; .*\(top: 1 if its last is the floor\)"):
        sit_down(FAMICOM, 0, other=field)


def test_rows_above_the_familys_are_left_out_and_cells_are_named_by_their_own_bytes() -> None:
    ram, seat = sit_down(FAMICOM, -2, 16)
    for at in range(-12, 84):
        ram[BASE + at] = 7 if at < 0 else at % 6 + 1
    assert seat.field().cells.tolist() == [[1, 2, 3, 4, 5, 6]] * 14
    ram[BASE + 6 * 9 + 4] = 0x42
    with pytest.raises(Exception, match=r"row 9, column 5 holds 0x42"):
        seat.field()
    ram, seat = sit_down(FAMICOM, 1)
    ram[BASE + 6 * 9 + 4] = 0x42
    with pytest.raises(Exception, match=r"row 9, column 5 holds 0x42"):
        seat.field()
