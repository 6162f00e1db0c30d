"""Examples of the toy game's rules. A cartridge built from the sources is compared with the committed one."""

from __future__ import annotations

import shutil
import subprocess
from itertools import islice
from pathlib import Path

import pytest
from kakera import rules

FOLDER = Path(__file__).resolve().parent


def field(*rows: str) -> rules.Field:
    """A field given by its lowest rows; the others are empty. ``.`` is empty, 1 to 3 are colours, 4 is grey."""
    full = ["....."] * (rules.ROWS - len(rows)) + list(rows)
    return tuple(tuple(0 if cell == "." else int(cell) for cell in row) for row in full)


def test_a_run_vanishes_and_what_stands_above_falls() -> None:
    before = field("3....", "11..2")
    assert rules.drop(before, 2, lower=1, upper=2) == rules.Outcome(field("3.2.2"), 30, 1, 1)


def test_a_chain_counts_its_steps() -> None:
    before = field(".2...", "11.24")
    assert rules.drop(before, 2, lower=1, upper=2) == rules.Outcome(rules.EMPTY_FIELD, 30 + 60, 2, 2)


def test_runs_of_one_step_vanish_at_once() -> None:
    before = field("22..3", "11..4")
    assert rules.drop(before, 2, lower=1, upper=2) == rules.Outcome(field("....3", "....4"), 60, 1, 1)


def test_greys_beside_a_run_vanish_with_it_and_count_nothing() -> None:
    before = field("4....", "422.4")
    assert rules.drop(before, 3, lower=2, upper=1) == rules.Outcome(field("4..1."), 30, 1, 1)


def test_greys_fall_in_turn_and_are_lost_on_full_columns() -> None:
    full = tuple((1 + row % 2, 0, 0, 0, 0) for row in range(rules.ROWS))
    fallen, column = rules.fall_greys(full, 7, 3)
    assert fallen[-1] == (2, 4, 4, 4, 4)
    assert fallen[-2] == (1, 0, 0, 4, 4)
    assert column == 0


def test_full_neighbours_close_the_way() -> None:
    tall = tuple((0, 1 if row else 0, 0, 0, 0) for row in range(rules.ROWS))
    assert rules.legal_columns(tall) == (2, 3, 4)
    assert rules.legal_columns(rules.EMPTY_FIELD) == (0, 1, 2, 3, 4)
    over = tuple((0, 0, 1 if row else 0, 0, 0) for row in range(rules.ROWS))
    assert rules.is_over(over)
    assert rules.legal_columns(over) == ()
    with pytest.raises(ValueError, match="no room"):
        rules.drop(tall, 1, 1, 1)


def test_pieces_come_from_the_frame_of_start() -> None:
    assert list(islice(rules.pieces(60), 50)) == list(islice(rules.pieces(61), 50))
    stones = [stone for piece in islice(rules.pieces(7), 600) for stone in piece]
    assert all(350 < stones.count(colour) < 450 for colour in (1, 2, 3))


def test_build_gives_the_committed_cartridge(tmp_path: Path) -> None:
    recorded = (FOLDER / "TOOLCHAIN.txt").read_text(encoding="ascii").strip()
    if not shutil.which("cc65"):
        pytest.skip(f"no cc65 here; {recorded} is needed")
    found = subprocess.run(["cc65", "--version"], capture_output=True, text=True, check=True)
    if (found.stdout + found.stderr).strip() != recorded:
        pytest.skip(f"cc65 is {(found.stdout + found.stderr).strip()!r}, {recorded!r} is recorded")
    rom = tmp_path / "toy.nes"
    subprocess.run(["sh", FOLDER / "build.sh", rom], check=True)
    assert rom.read_bytes() == (FOLDER / "toy.nes").read_bytes()
