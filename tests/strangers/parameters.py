"""The block of parameters of the program that plays the maker's games (src/family): what lies where in the ROM.

Python's standard library is enough for it, because build.py needs it.
"""

from __future__ import annotations

from typing import Final

MOST: Final = 84
HEADER: Final = 16
FIRST: Final = 0x8000
SIZE: Final = 0x2000

TABLES: Final = {
    **dict.fromkeys(("back", "write", "columns", "rows", "sunk", "sides", "piece_turn", "hidden"), 256),
    **dict.fromkeys(("piece_first", "piece_second", "next_first", "next_second"), 256),
    **dict.fromkeys(("store", "shown", "landing", "seen"), 2 * MOST),
    **dict.fromkeys(("piece_pack", "next_pack"), 64),
    **dict.fromkeys(("column", "row"), MOST),
    **dict.fromkeys(("power", "power_high", "group_bonus", "y"), 32),
    **dict.fromkeys(("phases", "coarse", "modes", "color_bonus", "tiles", "row_start", "x"), 16),
    **{"side_codes": 4, "limit": 4, "clocks": 16, "walls": 3 * 255, "image": 0x800},
}
"""The bytes of each table."""

NUMBERS: Final = (
    "angle", "announce", "beside", "blank", "blanks", "boot", "bounce", "by_codes", "ceiling", "clear_size",
    "clocks", "coarse", "colors", "copy", "copy_picture", "count", "count_up", "curtain", "debounce", "decor",
    "demo", "drop", "drop_points", "entry", "entry_first", "fall", "faster", "find_from", "first_level", "fraction",
    "fresh_down", "from_top", "gain", "garbage", "grace", "gravity", "gravity_least", "has_turn", "heap",
    "heap_rows", "height", "height_zero", "heights", "hidden", "high", "inside", "junk", "kicks", "landing", "late",
    "late_place", "links", "lock", "low_first", "menu", "menu_from", "multiplier", "multiplier_high", "next_bytes",
    "nuisance", "number_form", "number_size", "other_button", "other_by", "over", "over_by_itself", "pause",
    "per_step", "phase_page", "piece_bytes", "piece_points", "pieces_per_level", "pixel_shift", "pixels", "place",
    "play_clock", "points_unit", "poll", "pop", "powers", "quick_turn", "ready", "repeat_after", "repeat_every",
    "rest", "ring", "rolling", "rolls", "rolls_high", "row_length", "second", "seed", "shown", "sizes", "slots",
    "soft", "spawn_column", "spawn_row", "spawn_turn", "stir", "tens", "tested", "turn_button", "turn_by",
    "unit_shift", "visible", "walls", "wide", "width", "zero",
)  # fmt: skip
PLACES: Final = (
    "angle", "auto", "beside", "chain", "clock", "coarse", "copy", "cursor", "dice", "fallen", "fresh", "gain",
    "head", "heights", "held", "high", "left", "letters", "level", "mode", "music", "new", "option", "phase",
    "piece", "pieces", "raw", "repeat", "rest", "score", "scroll", "slot1", "slots", "speed", "stars", "tested",
    "tick", "time", "timer", "total", "turn", "wait", "waited", "x", "x2", "y", "y2",
)  # fmt: skip


def layout() -> dict[str, int]:
    """The address of each parameter: N_name (a byte), A_name (two bytes), T_name (a table)."""
    found, at = {}, FIRST
    for kind, names, size in (("N", NUMBERS, 1), ("A", PLACES, 2)):
        for name in names:
            found[f"{kind}_{name}"] = at
            at += size
    for name, size in TABLES.items():
        if at & 255 and (at & 255) + size > 256:
            at = (at + 255) & ~255
        found[f"T_{name}"] = at
        at += size
    assert at <= FIRST + SIZE, f"{at - FIRST - SIZE} bytes too many"
    return found


def header_for_c() -> str:
    """params.h."""
    kinds = {"N": "(*(const u8*)0x{:04X})", "A": "(*(u8* const*)0x{:04X})", "T": "((const u8*)0x{:04X})"}
    return "".join(f"#define {name} {kinds[name[0]].format(at)}\n" for name, at in layout().items())


def header_for_assembler() -> str:
    """params.inc."""
    return "".join(f"{name} = ${at:04X}\n" for name, at in layout().items())
