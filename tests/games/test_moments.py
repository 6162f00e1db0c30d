"""What a seat reports for given bytes in RAM: a pair has spawned, falls or has locked, or the game is over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import NEOGEO, NES, Button, Ram
from ochibot.errors import GameError, MapError
from ochibot.games.puyoseat import PuyoSeat
from ochibot.puyo import Action, Orientation, PairState, Placement

from tests import titles
from tests.games.test_unread import sit_down
from tests.puyo import FAMICOM, TSU
from tests.titles import NYAA, PUYO, load_seat_map, maps_of, rules_of

SPAWNING, PHASE, SCORE = 0x4A, 0x705, 0x7A


def sitting(name: str = "player1") -> PuyoSeat:
    return titles.famicom_seat(load_seat_map(name), Ram(np.zeros(0x800, np.uint8), NES.ram))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6), st.integers(0, 5)), max_size=20))
def test_a_famicom_seat_by_its_phase_and_spawn_flag(frames: list[tuple[int, int, int]]) -> None:
    """Phases: 0 idle, 1 spawn, 2 control, 3 falling, 4 blinking, 5 over."""
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    seat = titles.famicom_seat(load_seat_map("player1"), ram)
    last, before = 0, 0
    for spawning, phase, state in frames:
        ram[SPAWNING], ram[PHASE], ram[0x700] = spawning, phase, state
        assert seat.update() == seat.spawned == (spawning != 0 and last == 0)
        assert seat.falling() == (phase == 2 or before == 2), "in control, or just locked"
        assert seat.in_hand() == (phase in (1, 2))
        assert seat.has_locked() == (phase > 2)
        assert seat.over() == (phase == 5)
        assert seat.ready() == (spawning == 0)
        assert seat.in_menus() == (state < 3)
        last, before = spawning, phase


def test_a_jump_of_ram_is_no_spawn() -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    seat = titles.famicom_seat(load_seat_map("player1"), ram)
    ram[PHASE] = 2
    seat.update()
    ram[SPAWNING], ram[0x715] = 1, 4
    seat.resync()
    assert not seat.falling()
    assert not seat.update()
    assert (seat.received, seat.fallen()) == (0, 0), "what waits since before the jump wasn't received"
    ram[SPAWNING] = 0
    assert not seat.update()
    ram[SPAWNING] = 1
    assert seat.update()
    seat.resync()
    assert not seat.spawned


@given(st.lists(st.integers(0, 60), max_size=12), st.integers(0, 40))
def test_nuisance_is_received_and_falls_as_pending_goes_up_and_down(waiting: list[int], limit: int) -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    seat = titles.famicom_seat(load_seat_map("player1"), ram)
    ram[0x71B] = limit
    most = FAMICOM.nuisance.most_per_fall
    assert seat.fall_limit() == (min(limit, most) if limit else most)
    last = received = fallen = 0
    for now in waiting:
        ram[0x715] = now
        seat.update()
        if now > last:
            received += now - last
        elif now < last:
            fallen = min(last, seat.fall_limit())
        last = now
        assert (seat.pending(), seat.received, seat.fallen()) == (now, received, fallen)
    assert seat.settled().fallen == fallen
    seat.fresh()
    assert seat.fallen() == 0


def queueing() -> tuple[PuyoSeat, Ram]:
    """A seat of a game in which own points cancel nuisance, and what doesn't fall at once waits."""
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    nuisance = replace(FAMICOM.nuisance, offset=True, excess="queue")
    return titles.famicom_seat(load_seat_map("player1"), ram, replace(FAMICOM, nuisance=nuisance)), ram


@pytest.mark.parametrize(
    ("frames", "fallen", "falls"),
    [
        # (pending, score): a full row falls, then the rest
        ([(7, 0), (7, 0), (1, 0), (0, 0)], 7, 1),
        # two falls, each with a rest
        ([(18, 0), (12, 0), (9, 0), (3, 0), (0, 0)], 18, 3),
        ([(4, 0), (0, 0), (1, 0), (0, 0)], 5, 2),
        # own points cancel two, five fall
        ([(7, 0), (5, 18), (5, 18), (5, 18), (0, 18)], 5, 1),
        # points that come long before it shrinks cancel nothing
        ([(1, 0), (1, 4), (1, 4), (1, 4), (0, 4)], 1, 1),
    ],
)
def test_what_own_points_cancel_has_not_fallen(frames: list[tuple[int, int]], fallen: int, falls: int) -> None:
    seat, ram = queueing()
    for pending, score in frames:
        ram[0x715], ram[SCORE] = pending, score
        seat.update()
    assert (seat.settled().fallen, seat.settled().falls) == (fallen, falls)
    seat.fresh()
    assert (seat.fallen(), seat.settled().falls) == (0, 1)


def test_what_a_map_lacks_is_as_at_the_beginning() -> None:
    """The map lacks score, level, state and the rest: the score is 0, the level 1, and the seat is in no menu."""
    _, seat = sit_down(TSU, 1)
    assert (seat.score(), seat.level(), seat.knows_score, seat.knows_loser) == (0, 1, False, False)
    assert (seat.in_menus(), seat.counter("chain"), seat.pace()) == (False, None, None)
    with pytest.raises(MapError, match="loser"):
        seat.loser()
    full = sitting()
    assert (full.knows_score, full.knows_loser, full.loser(), full.counter("chain")) == (True, True, 0, 0)
    full.map.write("loser", 2)
    assert full.loser() == 2


def test_signs_of_a_map_from_the_announcement_to_the_lock() -> None:
    """The values of the entry ``sign`` in the map of ``sit_down``: 1 announces a pair, 2 is control."""
    ram, seat = sit_down(TSU, 1)
    seen = []
    for sign in (0, 1, 1, 2, 2, 0, 0, 1, 2, 0):
        ram[0x30] = sign
        seen.append((seat.update(), seat.ready(), seat.falling(), seat.in_hand(), seat.has_locked()))
    assert [one[0] for one in seen] == [False, True, False, False, False, False, False, True, False, False]
    assert [one[1] for one in seen] == [False, False, False, True, True, False, False, False, True, False]
    assert [one[2] for one in seen] == [False, False, False, True, True, True, False, False, True, True]
    assert [one[3] for one in seen] == [False, True, True, True, True, False, False, True, True, False]
    assert [one[4] for one in seen] == [False, False, False, False, False, True, True, False, False, True]
    seat.resync()
    assert not seat.has_locked()


@pytest.mark.parametrize(("cell", "frames", "over"), [(8, 300, False), (8, 301, True), (9, 400, False)])
def test_without_a_sign_a_game_is_over_when_nothing_has_changed_for_five_seconds(
    cell: int, frames: int, over: bool
) -> None:
    """A puyo must also lie in the spawn cell, column 3, row 1 (cell 8). 300 unchanged frames follow a first one."""
    seat = titles.famicom_seat(load_seat_map("player1").public(), ram := Ram(np.zeros(0x800, np.uint8), NES.ram))
    ram[0x303 + 16 * (cell // 6) + 2 * (cell % 6)] = 1
    for _ in range(frames):
        seat.update()
    assert seat.over() is over
    ram[0x303] = 1
    seat.update()
    assert not seat.over(), "a field that changes is played"


def test_where_no_byte_tells_it_a_pair_always_falls() -> None:
    """If no byte tells whether a pair falls, ``falling`` is always True; ``in_hand`` and ``has_locked`` are False."""
    seat = titles.famicom_seat(load_seat_map("player1").public(), Ram(np.zeros(0x800, np.uint8), NES.ram))
    for _ in range(2):
        assert (seat.falling(), seat.in_hand(), seat.has_locked()) == (True, False, False)
        seat.update()
    seat.resync()
    assert seat.falling()
    _, signs = sit_down(TSU, 1)
    assert not signs.falling(), "its sign of control tells it"
    assert not sitting().falling(), "its phase tells it"


def test_colours_at_play_are_the_maps_or_the_most_seen() -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    for address, value in ((0x669, 3), (0x66D, 1), (0x6D5, 2), (0x679, 1), (0x67D, 2), (0x67, 6), (0x68, 5)):
        ram[address] = value
    ram[0x701] = 5
    assert titles.famicom_seat(load_seat_map("player1"), ram).snapshot().colors == 5
    public = titles.famicom_seat(load_seat_map("player1").public(), ram)
    assert public.snapshot().colors == 6
    ram[0x67], ram[0x68] = 1, 1
    assert public.snapshot().colors == 4, "four at least"
    ram[0x679] = ram[0x67D] = 9
    assert public.snapshot().colors == 4, "an item is no colour"
    ram[0x669] = 0
    with pytest.raises(GameError, match="nowhere in the field"):
        public.snapshot()


def test_pairs_appear_in_the_third_column_and_actions_have_their_buttons() -> None:
    seat = sitting()
    assert seat.starts_at(PairState(3, 1, Orientation.UP))
    for other in (PairState(2, 1, Orientation.UP), PairState(3, 2, Orientation.UP), PairState(3, 1, Orientation.DOWN)):
        assert not seat.starts_at(other)
    pressed = [seat.button(action) for action in Action]
    assert pressed == [Button.LEFT, Button.RIGHT, Button.A, Button.B, Button.DOWN]


def test_a_bare_placement_becomes_a_decision_and_a_decision_stays_one() -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    for address, value in ((0x669, 3), (0x66D, 1), (0x6D5, 2), (0x679, 1), (0x67D, 2), (0x67, 1), (0x68, 1)):
        ram[address] = value
    seat = titles.famicom_seat(load_seat_map("player1"), ram)
    snapshot = seat.snapshot()
    decision = seat.decided(snapshot, Placement(6, 13, Orientation.UP))
    assert decision.placement.path == (Action.RIGHT,) * 3
    assert seat.decided(snapshot, decision) is decision
    for wrong in (None, 7, Placement(6, 12, Orientation.UP)):
        with pytest.raises(GameError, match="is no place for RG"):
            seat.decided(snapshot, wrong)


@pytest.mark.long
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 1)), max_size=20))
def test_a_neo_geo_seat_by_its_phase(frames: list[tuple[int, int]]) -> None:
    """Phases: 1 the spawn, 2 control, 3 and 4 the field settles, 5 lost."""
    ram_map = maps_of(NYAA)[0]
    seat = titles.neogeo_seat(ram_map, Ram(np.zeros(0x10000, np.uint8), NEOGEO.ram), rules_of(NYAA))
    last = before = 0
    for phase, spawning in frames:
        seat.map.write("phase", phase)
        seat.map.write("spawning", spawning)
        assert seat.update() == (spawning > last)
        assert seat.falling() == (phase == 2 or before == 2)
        assert seat.in_hand() == (phase in (1, 2))
        assert seat.ready() == (spawning == 0)
        last, before = spawning, phase
    seat.map.write("spawning", 1)
    seat.resync()
    assert not seat.falling()
    assert not seat.update()


def test_modes_and_seats_of_maps_are_checked() -> None:
    solo = load_seat_map("player1")
    first, second = (PUYO.load_map(name) for name in PUYO.map_names("versus"))
    for ram_map, mode, seat in (
        (solo, "endless", None),
        (solo, "endless", 1),
        (first, "versus", 1),
        (second, "versus", 2),
    ):
        PUYO.check_map(ram_map, mode, seat)
    with pytest.raises(MapError, match="is for the mode 'endless', not for 'versus'; give a map of that mode"):
        PUYO.check_map(solo, "versus")
    with pytest.raises(MapError, match="is for seat 2, not for seat 1; give a map of that seat"):
        PUYO.check_map(second, "versus", 1)
    with pytest.raises(MapError, match="has no mode 'mission' that can be played"):
        PUYO.map_names("mission")
    assert PUYO.map_names("endless") == ("famicom_puyo/player1",) or PUYO.map_names("endless") == ("player1",)
    assert PUYO.defaults("battle", solo) == {"colors": 5}
    assert PUYO.defaults("versus", solo) == {"colors": 4}
    assert PUYO.defaults("play", solo) == {}
    assert PUYO.defaults("battle", solo.public()) == {}, "only what the map has an entry for"


def test_older_roms_of_ours_are_known_by_their_hash_and_are_not_ours_now() -> None:
    older = "50e4ebb1247492254b412d0c98c22e782d2b52b8"
    now = PUYO.open_rom(None).sha1
    assert PUYO.is_homebrew(now)
    assert not PUYO.is_homebrew(older)
    assert PUYO.earlier_rom(older) == PUYO.earlier_rom(older.upper()) == "Ochidama"
    assert PUYO.earlier_rom(now) is None
    assert PUYO.earlier_rom("0" * 40) is None


def test_options_are_taken_by_number_or_by_name_as_their_kind_has_it() -> None:
    level, items = PUYO.options["level"], PUYO.options["items"]
    assert [level.parse("--level", text) for text in ("1", 4)] == [1, 4]
    assert [items.parse("--items", text) for text in ("off", "big", "carbuncle", "both")] == [0, 1, 2, 3]
    assert (level.words, items.words) == ("from 1 to 4", "by name: off, big, carbuncle, both")
    from ochibot.errors import UsageError

    for choice, wrong in ((level, "0"), (level, "5"), (level, "²"), (level, "-1"), (level, "0000000001"), (items, "1")):
        with pytest.raises(UsageError, match="goes "):
            choice.parse("--it", wrong)
