"""The layout of watched values, in a terminal and in the window's panel."""

from __future__ import annotations

import io

import pytest
from ochibot.cli.live import laid_out
from ochibot.ramtools.watching import NEVER, WatchedRow
from ochibot.ui.watch import side_of
from rich.console import Console

NAMES = [f"value_{number}" for number in range(30)]
SINGLES = [WatchedRow(name, 0x600 + at, str(at), ((at, NEVER),), 0) for at, name in enumerate(NAMES)]
FIELD = WatchedRow("field", 0x303, "/".join(["......"] * 13 + ["..YG.."]), tuple([(0, NEVER)] * 84), 3, 14)
MARKS = WatchedRow("marks", 0x302, "/".join(["000000000000"] * 14), tuple([(0, NEVER)] * 84), 0, 14)


def shown(rows: list[WatchedRow], width: int, height: int) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, height=height, force_terminal=False)
    console.print(laid_out(rows, 7, width, height))
    return out.getvalue().rstrip("\n").split("\n")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (110, 40), (160, 24)])
def test_all_names_addresses_and_the_field_are_in_sight(width: int, height: int) -> None:
    """Once, a terminal of 80 columns cut all names to one character, and rows below its last line were lost."""
    lines = shown([*SINGLES, FIELD, MARKS], width, height)
    text = "\n".join(lines)
    assert len(lines) < height
    assert max(map(len, lines)) <= width
    assert all(f"{0x600 + at:04X} {name}" in text for at, name in enumerate(NAMES))
    assert "0303 field" in text
    assert "..YG.." in text


def test_what_has_no_room_is_reported() -> None:
    assert "no room for marks: choose with --address NAME" in shown([*SINGLES, FIELD, MARKS], 70, 24)[-1]
    last = shown([*SINGLES, FIELD, MARKS], 40, 12)[-1]
    assert last.startswith("frame 7   no room for value_10")


def test_the_panel_has_what_changes_first_and_no_empty_rows_of_a_grid() -> None:
    """Once, a field of 14 rows left no room for the pair's position, which comes after the field in the map."""
    moved = WatchedRow("x", 0x669, "3", ((3, 2),), 5)
    told = side_of("tiny.nes", [*SINGLES, FIELD, MARKS, moved]).standing
    assert [name for name, _ in told.rows[:3]] == ["0669 x", "field 13", "0600 value_0"]
    assert told.lit == {0}
