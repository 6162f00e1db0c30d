"""Lists of placements: positions of both families as plain values and back, damage, and games that nobody knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import FieldError, OutputError, RecordError
from ochibot.falling.orientation import Orientation
from ochibot.nyaa.family import FAMILY as NYAA
from ochibot.nyaa.rules.grid import CELLS, Grid
from ochibot.nyaa.rules.pair import NyaaState
from ochibot.nyaa.rules.pair import Pair as NyaaPair
from ochibot.nyaa.rules.pair import Placement as NyaaPlacement
from ochibot.nyaa.rules.snapshot import Opponent
from ochibot.nyaa.rules.snapshot import Snapshot as NyaaSnapshot
from ochibot.puyo.family import FAMILY as PUYO
from ochibot.puyo.rules.field import COLUMNS, ROWS, Field
from ochibot.puyo.rules.pair import UNKNOWN, Pair, PairState, Placement
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.review.following import FollowedPlacement
from ochibot.review.sources import FILE, PlacementLog, Placements

FIELDS = st.binary(min_size=ROWS * COLUMNS, max_size=ROWS * COLUMNS).map(
    lambda codes: Field(bytes(code % 8 for code in codes))
)
PAIRS = st.builds(Pair, st.integers(1, 6), st.integers(1, 6))
COUNTS = st.integers(0, 999)
TURNED = st.sampled_from(Orientation)
RIVALS = st.builds(Rival, FIELDS, st.lists(PAIRS, max_size=3).map(tuple), COUNTS, COUNTS, COUNTS)
PUYO_SNAPSHOTS = st.builds(
    Snapshot,
    FIELDS,
    PAIRS,
    PAIRS | st.just(UNKNOWN),
    COUNTS,
    st.builds(PairState, st.integers(1, 6), st.integers(0, 13), TURNED),
    level=st.integers(1, 4),
    colors=st.integers(3, 6),
    foreseen=st.lists(PAIRS, max_size=2).map(tuple),
    waiting=COUNTS,
    frame=COUNTS,
    rival=st.none() | RIVALS,
)
GRIDS = st.binary(min_size=CELLS, max_size=CELLS).map(lambda codes: Grid(bytes(code % 10 for code in codes)))
NYAA_PAIRS = st.builds(NyaaPair, st.integers(1, 4), st.integers(1, 4))
NYAA_SNAPSHOTS = st.builds(
    NyaaSnapshot,
    GRIDS,
    NYAA_PAIRS,
    st.tuples(NYAA_PAIRS, NYAA_PAIRS),
    st.builds(NyaaState, st.integers(1, 7), st.integers(0, 12), TURNED, st.booleans()),
    COUNTS,
    st.none() | st.builds(Opponent, GRIDS, st.none() | NYAA_PAIRS, COUNTS),
    COUNTS,
)


@given(PUYO_SNAPSHOTS, st.integers(1, 6), st.integers(0, 13), TURNED)
def test_positions_of_puyo_come_back(snapshot: Snapshot, x: int, y: int, turned: Orientation) -> None:
    said = json.loads(json.dumps(PUYO.noted(snapshot, Placement(x, y, turned))))
    assert PUYO.from_notes(said) == (snapshot, Placement(x, y, turned))


@given(NYAA_SNAPSHOTS, st.integers(1, 7), TURNED, st.booleans())
def test_positions_of_nyaa_come_back(snapshot: NyaaSnapshot, x: int, turned: Orientation, needle: bool) -> None:
    said = json.loads(json.dumps(NYAA.noted(snapshot, NyaaPlacement(x, 3, turned, needle))))
    assert NYAA.from_notes(said) == (snapshot, NyaaPlacement(x, 3, turned, needle))


VALUES = st.none() | st.integers() | st.text(max_size=4) | st.lists(st.integers(), max_size=3)


@given(st.dictionaries(st.sampled_from(["field", "grid", "pairs", "state", "rival", "opponent", "lock"]), VALUES))
def test_other_values_are_refused(said: dict[str, Any]) -> None:
    for family in (PUYO, NYAA):
        with pytest.raises(FieldError):
            family.from_notes(said)


def played(number: int) -> FollowedPlacement:
    snapshot = Snapshot(Field.empty(), Pair(1, 2), Pair(2, 3), 0, PairState(3, 2, Orientation.UP))
    return FollowedPlacement(
        1, 1, number, snapshot, Placement(3, 13, Orientation.UP), 10 * number, 10 * number + 5, None, 0, 5, 3
    )


def test_a_list_is_whole_up_to_its_last_line(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    log = PlacementLog(folder, "puyo", "famicom", PUYO)
    for number in (1, 2):
        log.add(played(number))
    found = Placements.open(folder)
    assert (found.game, found.rules, found.played(PUYO)) == ("puyo", "famicom", [played(1), played(2)])
    with (folder / FILE).open("a") as file:
        file.write('{"seat": 1, "rou')
    assert Placements.open(folder).played(PUYO) == [played(1), played(2)]
    with pytest.raises(OutputError, match="something is in it already"):
        PlacementLog(folder, "puyo", "famicom", PUYO)


@pytest.mark.parametrize("text", ["", "[]\n", "{}\n", "no JSON\n", '{"format": "ochibot placements", "version": 2}\n'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(RecordError, match=FILE):
        Placements.open(tmp_path)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    log = PlacementLog(tmp_path / "mine", "puyo", "famicom", PUYO)
    log.add(played(1))
    path = log.folder / FILE
    path.write_text(path.read_text().replace('"lock"', '"luck"'))
    with pytest.raises(RecordError, match="line 2 is no placement"):
        Placements.open(log.folder).played(PUYO)
