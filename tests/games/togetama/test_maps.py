"""The maps of our Neo Geo game agree with one another about both seats."""

from __future__ import annotations

from ochibot.data import data_path
from ochibot.ram import Entry, RamMap, load_map

from tests.homebrew.neogeo.driver import SOLO, SYMBOLS, VERSUS

SEAT_1, SEAT_2 = 0x100200, 0x100600
OPPONENT = "opponent_"


def _map(name: str) -> RamMap:
    return load_map(data_path(f"ram_maps/nyaa_homebrew/{name}.yaml"), SYMBOLS)


def _parts(ram_map: RamMap) -> tuple[dict[str, Entry], dict[str, Entry]]:
    """Splits the entries: those of the map's own seat or of both seats, and the opponent's, without their prefix."""
    own = {name: entry for name, entry in ram_map.entries.items() if not name.startswith(OPPONENT)}
    return own, {name.removeprefix(OPPONENT): ram_map.entries[name] for name in ram_map.entries if name not in own}


def test_seat_2_has_every_value_of_seat_1_at_its_own_place() -> None:
    first, second = _map("player1").entries, _parts(_map("player2"))[0]
    assert first.keys() == second.keys()
    for name, entry in first.items():
        assert entry.address is not None
        moved = SEAT_2 - SEAT_1 if entry.address >= SEAT_1 else 0
        assert second[name] == entry.model_copy(update={"address": entry.address + moved}), name


def test_each_seat_sees_of_the_other_what_that_one_has() -> None:
    first, second = _parts(_map("player12")), _parts(_map("player2"))
    assert first[0] == _map("player1").entries
    assert first[1].keys() == second[1].keys() >= {"field", "pending", "axis", "partner", "phase"}
    assert first[1] == {name: second[0][name] for name in first[1]}
    assert second[1] == {name: first[0][name] for name in second[1]}


def test_each_map_knows_its_mode_and_seat() -> None:
    maps = [_map(name) for name in ("player1", "player12", "player2")]
    assert [(ram_map.mode, ram_map.seat) for ram_map in maps] == [(SOLO, 1), (VERSUS, 1), (VERSUS, 2)]
