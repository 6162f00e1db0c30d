"""Seats with unusual maps (signs for the nyaa family, pointers that lead nowhere), and rare cases of ``Title``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import NEOGEO, NES, Ram
from ochibot.errors import ConfigError, GameError, MapError, PointerError, RomError, UsageError
from ochibot.falling.pace import Gravity
from ochibot.games import find_game
from ochibot.games.filed.title import shipped_title
from ochibot.games.nyaaseat import NyaaSeat
from ochibot.games.puyoseat import STILL_FRAMES, PuyoSeat
from ochibot.games.title import Title
from ochibot.games.tsu.game import _pairs
from ochibot.games.unread import Watch
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import halves
from ochibot.ram import RamMap
from ochibot.ram.conditions import Signs

from tests import titles
from tests.games.othergame import map_of, seat_of
from tests.games.test_unread import CELL_NAMES, OTHERS
from tests.puyo import FAMICOM, TSU
from tests.ram.writing import write_grid
from tests.titles import NYAA, PUYO, load_seat_map, maps_of, rules_of

SIGNS = {
    "spawn": {"entry": "phase", "is": 1},
    "control": {"entry": "phase", "is": 2},
    "over": {"entry": "phase", "is": 5},
    "paused": {"entry": "state", "is": 4},
}


def with_signs(ram_map: RamMap, *names: str) -> RamMap:
    signs = Signs.model_validate({name: SIGNS[name] for name in names})
    return ram_map.model_copy(update={"signs": signs})


def neogeo(*names: str, without: tuple[str, ...] = ()) -> NyaaSeat:
    ram_map = with_signs(maps_of(NYAA)[0], *names)
    entries = {name: entry for name, entry in ram_map.entries.items() if name not in without}
    ram = Ram(np.zeros(0x10000, np.uint8), NEOGEO.ram)
    return titles.neogeo_seat(ram_map.model_copy(update={"entries": entries}), ram, rules_of(NYAA))


def famicom(ram_map: RamMap | None = None) -> tuple[Ram, PuyoSeat]:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    return ram, titles.famicom_seat(ram_map or load_seat_map("player1"), ram)


def test_a_pair_of_the_nyaa_family_by_a_maps_signs() -> None:
    seat = neogeo("spawn", "control", "over", "paused")
    seen = []
    for phase in (0, 1, 1, 2, 2, 3, 4, 1, 2, 5):
        seat.map.write("phase", phase)
        seen.append((seat.update(), seat.ready(), seat.falling(), seat.in_hand(), seat.has_locked(), seat.over()))
    assert [one[0] for one in seen] == [False, True, False, False, False, False, False, True, False, False]
    assert [one[1] for one in seen] == [False, False, False, True, True, False, False, False, True, False]
    assert [one[2] for one in seen] == [False, False, False, True, True, True, False, False, True, True]
    assert [one[3] for one in seen] == [False, True, True, True, True, False, False, True, True, False]
    assert [one[4] for one in seen] == [False, False, False, False, False, True, True, False, False, True]
    assert [one[5] for one in seen] == [False] * 9 + [True]
    seat.map.write("phase", 2)
    assert seat.ready()
    seat.map.write("state", 4)
    assert not seat.ready()
    seat.resync()
    assert (seat.spawned, seat.falling(), seat.has_locked()) == (False, False, False)


def test_with_the_sign_control_the_phase_need_not_be_known() -> None:
    with pytest.raises(MapError, match="shows whether a pair is under control"):
        neogeo(without=("phase",))
    ram_map = maps_of(NYAA)[0]
    signs = Signs.model_validate({"control": {"entry": "state", "is": 3}})
    entries = {name: entry for name, entry in ram_map.entries.items() if name != "phase"}
    ram = Ram(np.zeros(0x10000, np.uint8), NEOGEO.ram)
    seat = titles.neogeo_seat(ram_map.model_copy(update={"entries": entries, "signs": signs}), ram, rules_of(NYAA))
    assert (seat.over(), seat.ready()) == (False, False)
    seat.map.write("state", 3)
    assert seat.ready()
    assert seat.update() is False
    assert seat.falling()


def test_pairs_and_places_of_the_nyaa_family_that_make_no_sense_are_reported() -> None:
    seat = neogeo()
    with pytest.raises(GameError, match=r"the pair's entry axis holds 0x00 .* means empty, no colour, by the map"):
        seat.snapshot()
    for name in ("axis", "partner", "next_axis", "next_partner", "next2_axis", "next2_partner"):
        seat.map.write(name, 1)
    seat.map.write("x", 9)
    with pytest.raises(GameError, match="the falling pair is nowhere in the field"):
        seat.snapshot()
    seat.map.write("x", 4)
    seat.map.write("y", 1)
    seat.map.write("orientation", 2)
    assert seat.snapshot().pair == (1, 1)
    seat.map.write("next_partner", 1)


def pointed(**more: Any) -> tuple[Ram, PuyoSeat]:
    """RAM, and a seat whose pending nuisance is read through a pointer. ``more``: entries to add or replace."""
    far = {"pointer": {"address": 0x40, "type": "u16le"}}
    content = {
        "entries": {
            **OTHERS,
            "field": {"address": 0x200, "rows": 14, "columns": 6, "row_stride": 6, "column_stride": 1, "codes": "puyo"},
            "spawning": {"address": 0x30},
            "pending": far,
            **more,
        },
        "codes": {"puyo": dict(enumerate(CELL_NAMES))},
    }
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    return ram, seat_of(map_of(content), ram, TSU)


def test_a_value_whose_pointer_leads_nowhere_is_as_at_the_beginning() -> None:
    ram, seat = pointed()
    ram[0x300] = 7
    for low, high, waiting in ((0x00, 0x03, 7), (0x00, 0x40, 0), (0x00, 0x03, 7)):
        ram[0x40], ram[0x41] = low, high
        assert seat.pending() == waiting
        seat.update()


@pytest.mark.parametrize(
    ("rows", "columns", "top"),
    [(13, 6, None), (15, 6, None), (14, 5, None), (14, 7, None), (14, 6, 1), (12, 6, 1), (15, 6, 0), (15, 6, -2)],
)
def test_a_grid_of_other_rows_or_columns_is_no_field(rows: int, columns: int, top: int | None) -> None:
    field = {"address": 0x200, "rows": rows, "columns": columns, "row_stride": 8, "column_stride": 1, "codes": "puyo"}
    with pytest.raises(MapError, match="the field of the map"):
        pointed(field=field if top is None else {**field, "top": top})


@pytest.mark.parametrize("top", [-1, 0, 1, 2])
def test_a_grid_may_begin_above_the_field_or_in_its_first_visible_row(top: int) -> None:
    field = {"address": 0x200, "rows": 14 - top, "columns": 6, "row_stride": 8, "column_stride": 1, "codes": "puyo"}
    ram, seat = pointed(field={**field, "top": top})
    ram[0x200 + 8 * (13 - top) + 2] = 5
    ram[0x200 + 8 * (12 - top) + 2] = 3
    assert (seat.field().cells[12:, 2].tolist(), seat.field().count()) == ([3, 5], 2)


def test_a_spawn_sign_behind_a_pointer_is_described_where_it_leads() -> None:
    ram, seat = pointed(spawning={"pointer": {"address": 0x42, "type": "u16le"}})
    ram[0x42], ram[0x43] = 0x00, 0x40
    assert seat.spawn_in_words() == "the spawn sign (spawning at a pointer, now astray)"
    assert not seat.update()
    ram[0x43], ram[0x300] = 0x03, 1
    assert seat.spawn_in_words() == "the spawn sign (spawning at a pointer, now 1)"
    assert seat.update()
    ram, plain = pointed()
    assert plain.spawn_in_words() == "the spawn sign (spawning at 0x0030, now 0)"


def test_a_place_behind_a_pointer_that_leads_nowhere_is_reported_as_that() -> None:
    ram, seat = pointed(x={"pointer": {"address": 0x42, "type": "u16le"}})
    ram[0x42], ram[0x43] = 0x00, 0x40
    assert seat.pair_state() is None
    for name in ("axis", "partner", "next_axis", "next_partner"):
        seat.map.write(name, 1)
    with pytest.raises(GameError, match="the pointer of the entry 'x'"):
        seat.snapshot()


def test_a_field_behind_a_pointer_that_leads_nowhere_has_not_stood_still() -> None:
    field = {"rows": 14, "columns": 6, "row_stride": 6, "column_stride": 1, "codes": "puyo"}
    ram, seat = pointed(field={"pointer": {"address": 0x44, "type": "u16le"}, **field})
    where = 6 * TSU.spawn.y + TSU.spawn.x - 1
    ram[0x45] = 0x03
    ram[0x300 + where] = 1
    for frame in range(STILL_FRAMES + 1):
        assert seat.over() == (frame > STILL_FRAMES)
        seat.update()
    assert seat.over()
    ram[0x45] = 0x40
    seat.update()
    with pytest.raises(PointerError):
        seat.field()
    assert seat.over(), "nobody saw anything else"
    ram[0x45] = 0x03
    ram[0x300] = 2
    seat.update()
    assert not seat.over()


def test_a_paused_pair_answers_no_pad() -> None:
    signs = Signs.model_validate({"paused": {"entry": "state", "is": 4}})
    ram, seat = famicom(load_seat_map("player1").model_copy(update={"signs": signs}))
    assert seat.ready()
    seat.map.write("state", 4)
    assert not seat.ready()
    ram[0x700] = 3
    assert seat.ready()


def test_where_the_state_alone_shows_it_the_game_is_over_by_that() -> None:
    made = shipped_title("tsu")
    ram_map = made.load_map("player1")
    assert "state" in ram_map.entries
    entries = {name: entry for name, entry in ram_map.entries.items() if name != "phase"}
    from ochibot.console import MEGADRIVE

    ram = Ram(np.zeros(0x10000, np.uint8), MEGADRIVE.ram)
    table = replace(made.table, over=9, playing=3)
    seat = PuyoSeat(table, made.look, ram_map.model_copy(update={"entries": entries}), ram, TSU)
    for state in (0, 8, 9, 10):
        seat.map.write("state", state)
        assert seat.over() == (state == 9)
        assert seat.in_menus() == (state < 3)


def test_a_spawn_is_seen_by_other_signs_where_the_pair_stands_in_the_spawns_row() -> None:
    """Without ``spawning``, a pair spawns when an entry of ``spawn_signs`` isn't 0 and the pair is in the spawn's row.

    The row is read from ``y``; in the form "partner" it is computed from the whole position.
    """
    made = shipped_title("puyo")
    row, column = FAMICOM.spawn.y, FAMICOM.spawn.x
    for form in ("axis", "partner"):
        pair = load_seat_map("player1")
        entries = {name: one for name, one in pair.entries.items() if name not in ("spawning", "phase", "state")}
        ram_map = pair.model_copy(update={"entries": entries, "pair": type(pair.pair)(denotes=form)})
        ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
        seat = PuyoSeat(replace(made.table, spawn_signs=("pieces_left", "score")), made.look, ram_map, ram, FAMICOM)
        seat.map.write("orientation", 2)
        for there, score, spawned in ((row, 0, False), (row + 1, 70, False), (row, 70, True), (row, 70, False)):
            seat.map.write("x", column)
            # in the form "partner", y is the partner's; in an upright pair it is one row above the axis
            seat.map.write("y", there - (form == "partner"))
            seat.map.write("score", score)
            assert seat.update() is spawned, (form, there, score)


def test_a_seat_without_any_spawn_sign_is_refused() -> None:
    pair = load_seat_map("player1")
    entries = {name: one for name, one in pair.entries.items() if name != "spawning"}
    made = shipped_title("puyo")
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    for signs, named in (((), "spawning"), (("nothing", "spawning"), "nothing")):
        with pytest.raises(MapError, match=f"has no entry '{named}', which shows that a new pair has spawned"):
            PuyoSeat(
                replace(made.table, spawn_signs=signs), made.look, pair.model_copy(update={"entries": entries}), ram,
                FAMICOM,
            )  # fmt: skip


@pytest.mark.parametrize(("mode", "row"), [("endless", 20), ("versus", 9)])
def test_the_pace_is_that_of_the_level_or_of_the_match(mode: str, row: int) -> None:
    gravity = Gravity((40, 20), 2, 28, 4, versus_row=9, anywhere=False)
    ram_map = maps_of(PUYO, PUYO.solo_mode if mode == "endless" else PUYO.versus_mode)[0]
    ram, seat = famicom(ram_map)
    seat.table = replace(seat.table, gravity=gravity)
    seat.map.write("level", 2)
    pace = seat.pace()
    assert pace is not None
    assert pace.row == row
    seat.table = replace(seat.table, gravity=None)
    assert seat.pace() is None
    # on another ROM, a gravity is used only if its ``anywhere`` is set
    other = titles.famicom_seat(ram_map.public(), ram)
    other.table = replace(other.table, gravity=gravity)
    assert other.pace() is None


# -- titles


def test_a_title_without_a_rom_or_seats() -> None:
    made = shipped_title("tsu_c2")
    assert made.table.rom is None
    assert made.shipped_rom() is None
    with pytest.raises(RomError, match="no ROM comes with the game tsu_c2: give yours with --rom"):
        made.open_rom(None)
    assert not made.is_homebrew("0" * 40)
    assert made.earlier_rom("0" * 40) is None
    with pytest.raises(NotImplementedError, match="makes no seats"):
        Title(made.table, made.family).seat(load_seat_map("player1"), Ram(np.zeros(9, np.uint8), NES.ram), None)
    with pytest.raises(MapError, match="has no mode 'sideways' that can be played"):
        made.map_names("sideways")


def test_a_set_that_was_zipped_anew_is_still_ours(tmp_path: Path) -> None:
    import zipfile

    shipped = NYAA.shipped_rom()
    assert shipped is not None
    again = tmp_path / shipped.name
    with zipfile.ZipFile(shipped) as old, zipfile.ZipFile(again, "w", zipfile.ZIP_STORED) as new:
        for name in reversed(old.namelist()):
            new.writestr(name, old.read(name))
    assert again.read_bytes() != shipped.read_bytes()
    again.with_suffix(".dat").write_bytes(shipped.with_suffix(".dat").read_bytes())
    rom = NYAA.open_rom(again)
    assert NYAA.is_homebrew(rom.sha1)


def test_an_option_cannot_be_chosen_where_a_savestate_takes_the_menus_place() -> None:
    from copy import copy

    made: Any = copy(PUYO)
    made.table = replace(made.table, states={made.solo_mode: Path("mine.state")})
    seat: Any = SimpleNamespace(map=SimpleNamespace(map=load_seat_map("player1")))
    with pytest.raises(UsageError, match=r"--level is chosen on the menu, which the savestate mine\.state"):
        made.reach(None, seat, made.solo_mode, {"level": 2})


def test_pools_that_hold_no_pairs_are_reported() -> None:
    pool = bytes(at % 5 for at in range(256))
    assert len(_pairs(pool)) == 128
    for wrong in (pool[:-1], pool + b"\0", bytes([200]) + pool[1:]):
        with pytest.raises(GameError, match="a pool in RAM holds no pairs"):
            _pairs(wrong)


def test_maps_of_tsu_without_pools_or_further_pairs() -> None:
    from ochibot.console import MEGADRIVE

    made: Any = find_game("tsu")
    ram_map = made.load_map("player1")
    ram = Ram(np.zeros(0x10000, np.uint8), MEGADRIVE.ram)
    few = {name: one for name, one in ram_map.entries.items() if not name.startswith(("pool", "next2_", "next3_"))}
    seat = made.seat(ram_map.model_copy(update={"entries": few}), ram, load_rules("tsu"))
    for name in ("axis", "partner", "next_axis", "next_partner"):
        seat.map.write(name, 1)
    seat.map.write("x", 3)
    seat.map.write("y", TSU.spawn.y)
    seat.map.write("orientation", 2)
    seen = seat.snapshot()
    assert seen.foreseen == ()
    with pytest.raises(MapError, match=r"has no pools .*: nothing foretells pairs"):
        seat.foresee(seen, 3)


# -- the other side of a match


def test_a_side_that_cannot_be_read_is_shown_as_nothing() -> None:
    class Unreadable:
        rules = FAMICOM

        def plain(self) -> Any:
            raise GameError("what is this?")

        def has_locked(self) -> bool:
            return self.locked

        def pending(self) -> int:
            return 3

        locked = False

    side: Any = Unreadable()
    watch = Watch(side)
    watch.saw(spawned=True)
    assert watch.rival().pairs == ()
    side.locked = True
    watch.saw(spawned=False)
    assert (watch.rival().waiting, watch.frames) == (0, 2)


def test_a_lock_of_a_pair_that_was_never_seen_is_not_guessed() -> None:
    from ochibot.puyo.rules.field import Field
    from ochibot.puyo.rules.pair import Pair
    from ochibot.puyo.rules.snapshot import Snapshot

    snapshot = Snapshot(Field.empty(), Pair(1, 2), Pair(3, 4), 5, FAMICOM.spawn)
    side: Any = SimpleNamespace(
        rules=FAMICOM, plain=lambda: snapshot, has_locked=lambda: True, falling=lambda: False, pending=lambda: 2
    )
    watch = Watch(side)
    watch.saw(spawned=True)
    watch._last = None
    watch.saw(spawned=False)
    rival = watch.rival()
    assert (rival.field, rival.pairs, rival.waiting) == (Field.empty(), (Pair(1, 2), Pair(3, 4)), 2)


# -- game files


def test_a_users_rom_that_no_core_takes_counts_by_its_own_bytes(tmp_path: Path) -> None:
    import hashlib

    from tests.games.filed import making

    file = making.game(tmp_path, rom="mine.nes")
    (tmp_path / "mine.nes").write_bytes(b"no image at all")
    made = find_game(str(file))
    assert made.is_homebrew(hashlib.sha1(b"no image at all").hexdigest())
    assert not made.is_homebrew("0" * 40)
    with pytest.raises(MapError, match="has no map nonsense; give one with --map"):
        made.load_map("nonsense")
    with pytest.raises(UsageError, match="has no mode for two players: give one under modes"):
        made.map_names("two players")
    with pytest.raises(UsageError, match="has no mode for one player: give one under modes"):
        made.map_names("one player")


def test_a_parent_must_be_named_by_a_text(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("extends: [puyo]\n")
    with pytest.raises(ConfigError, match=r"mine\.yaml: extends: give the name of a shipped game, such as puyo"):
        find_game(str(tmp_path / "mine.yaml"))


def test_a_pair_that_is_written_into_the_field_is_left_out_of_it() -> None:
    plain = load_seat_map("player1")
    form = plain.pair.model_copy(update={"in_field": True})
    for ram_map, left in ((plain, 4), (plain.model_copy(update={"pair": form}), 2)):
        _, seat = famicom(ram_map)
        codes = titles.TABLE.codes
        for name, value in (("x", 3), ("y", 5), ("axis", "red"), ("partner", "green")):
            seat.map.write(name, value)
        seat.map.write("orientation", 0)
        state = seat.pair_state()
        assert state is not None
        (x, y), (u, v) = halves(state)
        cells = np.full((14, 6), codes["empty"], np.uint8)
        # another cell of the pair's colours stays
        for row, column, word in ((y, x - 1, "red"), (v, u - 1, "green"), (13, 0, "red"), (13, 1, "blue")):
            cells[row, column] = codes[word]
        write_grid(seat.map, "field", cells)
        assert int((seat.field().cells != 0).sum()) == left
        # the place of a pair that isn't drawn there holds other colours
        cells[y, x - 1] = cells[v, u - 1] = codes["yellow"]
        write_grid(seat.map, "field", cells)
        assert int((seat.field().cells != 0).sum()) == 4
