"""Builds the variants of Ochidama and their truth.yaml: ``python3 tests/variants/build.py [NAME ...]``.

Needs cc65 (roms/homebrew/famicom/TOOLCHAIN.txt) and Python's standard library alone. README.md says what a variant is.
``truth.yaml`` is made of the flags below, the linker's labels and the tables in the sources.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
CARTRIDGE: Final = HERE.parents[1] / "roms" / "homebrew" / "famicom"

Value = str | int | bool | Sequence["Value"] | Mapping[str, "Value"] | Mapping[int, "Value"]

COLOURS: Final = ("red", "green", "blue", "yellow", "purple", "cyan")
BOARD: Final = (6, 14)
"""Columns and rows of the game; row 0 is hidden."""

DEFAULTS: Final[Mapping[str, int]] = {
    "SPAWN_DELAY": 12,
    "LOCK_FRAMES": 28,
    "LOCK_HURRY": 4,
    "DROP_HURRY": 2,
    "REPEAT_FIRST": 12,
    "REPEAT_NEXT": 3,
    "PHASE_STEP": 1,
    "CODE_SHIFT": 0,
    "PAIR_TIMES": 1,
    "PAIR_PLUS": 0,
    "CODE_DOWN": 0,
    "CODE_LEFT": 1,
    "CODE_UP": 2,
    "CODE_RIGHT": 3,
    "FIRST_X": 1,
    "FIRST_Y": 0,
    "PARTNER": 0,
    "SWAP_PAIR": 0,
    "SWAP_NEXT": 0,
    "TURNED_BUTTONS": 0,
    "MIRROR": 0,
    "MIRROR_SIZE": 0,
    "RAM_ORDER": 1,
    "SEAT_BYTES": 16,
    "OAM_PAGE": 2,
    "CSTACK_TOP": 0x0800,
    "HIDDEN_APART": 0,
}
"""The shipped cartridge, as flags. src/variant.h, places.s, published.s and layout.s say what each does."""

FALL: Final = (40, 28, 18, 11)
CHAIN_POWER: Final = (0, 8, 16, 32, 64, 128, 256, 512, 999)


@dataclass(frozen=True)
class Variant:
    """One variant. ``layout``: its linker file. ``areas``: SOURCE=SEGMENT words for build.sh. Each moves the variables
    of a C source to another segment, because RAM is short.

    ``changes``: the differences from the shipped cartridge, a word each, as truth.yaml lists them. ``form``: flags for
    how fields are stored (see layout.s); None: as in the shipped cartridge. ``documented``: whether the addresses of
    the shipped maps are right for this variant, too.
    """

    name: str
    changes: tuple[str, ...]
    flags: Mapping[str, int]
    layout: str = "inplace"
    form: Mapping[str, int] | None = None
    fall: tuple[int, ...] = FALL
    chain_power: tuple[int, ...] = CHAIN_POWER
    kicks: bool = True
    areas: str = ""
    documented: bool = True

    @property
    def values(self) -> dict[str, int]:
        """All flags with their numbers, the defaults included."""
        return {**DEFAULTS, **self.flags, **(self.form or {})}


_SETTLE: Final = "settle=SETTLEBSS game=SETTLEBSS main=SETTLEBSS"
_WIDE: Final = f"{_SETTLE} items=PIECEBSS pair=PIECEBSS hud=PIECEBSS duel=PIECEBSS panel=PIECEBSS"
_PACKED: Final = f"{_SETTLE} items=PIECEBSS pair=PIECEBSS hud=PIECEBSS duel=PIECEBSS panel=PANELBSS"
_TURNED: Final = {"CODE_UP": 0, "CODE_RIGHT": 1, "CODE_DOWN": 2, "CODE_LEFT": 3}
_MIRRORED: Final = {"CODE_DOWN": 0, "CODE_RIGHT": 1, "CODE_UP": 2, "CODE_LEFT": 3}
_ANGLES: Final = {"CODE_UP": 0, "CODE_LEFT": 64, "CODE_DOWN": 128, "CODE_RIGHT": 192}

VARIANTS: Final = (
    Variant(
        "shifted",
        ("codes", "pair_codes", "lock_delay", "spawn_delay"),
        {"CODE_SHIFT": 4, "PAIR_TIMES": 16, "LOCK_FRAMES": 45, "SPAWN_DELAY": 20},
    ),
    Variant(
        "packed",
        ("bit_fields", "row_stride", "column_stride", "decoy", "auto_repeat"),
        {"MIRROR": 1, "MIRROR_SIZE": 112, "REPEAT_FIRST": 16, "REPEAT_NEXT": 4},
        layout="packed",
        areas=_PACKED,
        form={"SPLIT_LINKS": 0, "CODE_AT": 2, "LINK_GAP": 4, "LINKS_AT": 0, "WALLS": 1, "FIRST": 1, "ROW_STEP": 8,
              "COLUMN_STEP": 1, "FIELD_SIZE": 112},
    ),
    Variant(
        "narrow",
        ("row_stride", "x_from_0", "soft_drop"),
        {"FIRST_X": 0, "DROP_HURRY": 3},
        layout="wide",
        areas=_WIDE,
        form={"SPLIT_LINKS": 1, "CODE_AT": 0, "LINK_GAP": 0, "LINKS_AT": -1, "WALLS": 0, "FIRST": 1, "ROW_STEP": 12,
              "COLUMN_STEP": 2, "FIELD_SIZE": 168},
    ),
    Variant(
        "columns",
        ("column_major", "y_from_1", "lock_delay"),
        {"FIRST_Y": 1, "LOCK_FRAMES": 16},
        layout="wide",
        areas=_WIDE,
        form={"SPLIT_LINKS": 1, "CODE_AT": 0, "LINK_GAP": 0, "LINKS_AT": 84, "WALLS": 0, "FIRST": 0, "ROW_STEP": 1,
              "COLUMN_STEP": 14, "FIELD_SIZE": 168},
    ),
    Variant(
        "turned",
        ("orientation", "next_swapped", "buttons"),
        {**_TURNED, "SWAP_NEXT": 1, "TURNED_BUTTONS": 1},
    ),
    Variant(
        "mirrored",
        ("orientation", "pair_swapped", "auto_repeat"),
        {**_MIRRORED, "SWAP_PAIR": 1, "REPEAT_FIRST": 8, "REPEAT_NEXT": 2},
    ),
    Variant(
        "partner",
        ("denotes", "spawn_delay", "fall"),
        {"PARTNER": 1, "SPAWN_DELAY": 6},
        fall=(48, 32, 20, 12),
    ),
    Variant(
        "stiff",
        ("kicks", "chain_power", "auto_repeat"),
        {"REPEAT_FIRST": 20, "REPEAT_NEXT": 5},
        kicks=False,
        chain_power=(0, 10, 20, 40, 80, 120, 160, 240, 320),
    ),
    Variant(
        "moved",
        ("addresses", "codes", "pair_codes", "x_from_0", "y_from_1", "phases", "decoy", "lock_delay"),
        {"CODE_SHIFT": 4, "PAIR_PLUS": 255, "FIRST_X": 0, "FIRST_Y": 1, "PHASE_STEP": 16, "MIRROR": 1,
         "MIRROR_SIZE": 84, "LOCK_FRAMES": 36, "OAM_PAGE": 7, "CSTACK_TOP": 0x0700},
        layout="moved",
        documented=False,
    ),
    Variant(
        "scattered",
        ("addresses", "column_major", "bit_fields", "denotes", "orientation", "next_swapped", "pair_swapped", "kicks",
         "chain_power", "lock_delay", "auto_repeat"),
        {**_ANGLES, "PARTNER": 1, "SWAP_PAIR": 1, "SWAP_NEXT": 1, "LOCK_FRAMES": 60, "REPEAT_FIRST": 10,
         "REPEAT_NEXT": 4, "RAM_ORDER": 2, "SEAT_BYTES": 24, "OAM_PAGE": 3},
        layout="scattered",
        documented=False,
        kicks=False,
        chain_power=(4, 20, 24, 32, 48, 96, 160, 240, 320),
        form={"SPLIT_LINKS": 0, "CODE_AT": 4, "LINK_GAP": 0, "LINKS_AT": 0, "WALLS": 0, "FIRST": 13, "ROW_STEP": -1,
              "COLUMN_STEP": 16, "FIELD_SIZE": 96},
    ),
    Variant(
        "visible",
        ("addresses", "column_major", "hidden_row_apart", "spawn_delay", "auto_repeat"),
        {"HIDDEN_APART": 1, "RAM_ORDER": 2, "SEAT_BYTES": 12, "SPAWN_DELAY": 30, "REPEAT_FIRST": 14, "REPEAT_NEXT": 1},
        layout="visible",
        documented=False,
        form={"SPLIT_LINKS": 1, "CODE_AT": 0, "LINK_GAP": 0, "LINKS_AT": 78, "WALLS": 0, "FIRST": -1, "ROW_STEP": 1,
              "COLUMN_STEP": 13, "FIELD_SIZE": 156},
    ),
    Variant(
        "digits",
        ("score_digits", "lock_delay", "fall"),
        {"SCORE_ZERO": 16, "LOCK_FRAMES": 22},
        layout="digits",
        fall=(30, 22, 15, 9),
    ),
)  # fmt: skip


def compile_rom(variant: Variant, rom: Path, labels: Path) -> None:
    """Runs the cartridge's build.sh with the variant's flags."""
    flags = ["-DVARIANT=1"] + [f"-D{name}={value}" for name, value in variant.values.items()]
    more = ["places", "published"]
    if variant.documented:
        flags.append("-DDOCUMENTED=1")
    if variant.form is not None:
        flags.append("-DLAYOUT=1")
        more.append("layout")
    own = [f"-DFRAMES_PER_ROW={_commas(variant.fall)}", f"-DCHAIN_POWER={_commas(variant.chain_power)}"]
    if not variant.kicks:
        own.append("-DNO_KICKS=1")
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "CONFIG": str(HERE / "layouts" / f"{variant.layout}.cfg"),
        "FLAGS": " ".join(flags),
        "C_FLAGS": " ".join(own),
        "AREAS": variant.areas,
        "MORE": " ".join(more),
        "LABELS": str(labels),
    }
    subprocess.run(["sh", str(CARTRIDGE / "build.sh"), str(rom)], check=True, env=environment)


def _commas(values: Sequence[int]) -> str:
    return ",".join(str(value) for value in values)


def read_labels(path: Path) -> dict[str, int]:
    """Reads the linker's label file. Returns the address of each name; C's names lose their underscore."""
    lines = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    return {name.removeprefix(".").removeprefix("_"): int(address, 16) for _, address, name in lines}


@dataclass(frozen=True)
class Truth:
    """The facts about a built variant, from which its truth.yaml is made."""

    variant: Variant
    labels: Mapping[str, int]
    sources: Mapping[str, str] = field(default_factory=dict)

    def data(self, rom: bytes) -> dict[str, Value]:
        """All of truth.yaml. README.md explains each key."""
        flags, columns, rows = self.variant.values, BOARD[0], BOARD[1]
        return {
            "name": self.variant.name,
            "rom": f"{self.variant.name}.nes",
            "sha1": hashlib.sha1(rom, usedforsecurity=False).hexdigest(),
            "system": "nes",
            "changes": list(self.variant.changes),
            "documented_addresses": self.variant.documented,
            "board": {"columns": columns, "rows": rows, "hidden_rows": 1},
            "spawn": {"x": 3, "y": 1, "orientation": "up"},
            "over": {"x": 3, "y": 1},
            "seats": {seat: self._seat(seat) for seat in (1, 2)},
            "game": self._game(),
            "denotes": "partner" if flags["PARTNER"] else "axis",
            "codes": {"field": self._field_codes(), "pair": self._pair_codes()},
            "orientation": {name: flags[f"CODE_{name.upper()}"] for name in ("down", "left", "up", "right")},
            "phases": self._phases(),
            "buttons": dict(zip(("rotate_cw", "rotate_ccw"), "ba" if flags["TURNED_BUTTONS"] else "ab", strict=True)),
            "timing": {
                "spawn_delay": flags["SPAWN_DELAY"],
                "fall": list(self.variant.fall),
                "soft_drop": flags["DROP_HURRY"],
                "lock_delay": flags["LOCK_FRAMES"],
                "lock_hurry": flags["LOCK_HURRY"],
                "lock_refilled": False,
                "auto_repeat": {"first": flags["REPEAT_FIRST"], "period": flags["REPEAT_NEXT"]},
            },
            "kicks": self.variant.kicks,
            "quick_turn": False,
            "hidden_clear": False,
            "clear_size": 4,
            "score": {
                "unit": 10,
                "chain_power": list(self.variant.chain_power),
                "color_bonus": self._table("settle.c", r"colour_bonus\[7\] = \{([^}]*)\}"),
                "group_bonus": self._table("groups.s", r"group_bonus: \.byte ([0-9, ]*)"),
                "group_bonus_per": "group",
                "max_multiplier": 999,
                "cap": 99999990,
                "drop_bonus": 0,
                "all_clear_bonus": 0,
            },
            "decoys": self._decoys(),
        }

    def _table(self, source: str, pattern: str) -> list[Value]:
        found = re.search(pattern, (CARTRIDGE / "src" / source).read_text(encoding="ascii"))
        assert found, f"{source} has no {pattern}"
        return [int(number) for number in found[1].split(",")]

    def _seat(self, seat: int) -> dict[str, Value]:
        flags, at, other = self.variant.values, self.labels, seat - 1
        pair, following = at["PAIR_STEP"] * other, at["NEXT_STEP"] * other
        field_grid, links = self._grids(seat)
        single = {"x": "x", "y": "y", "orientation": "turn", "axis": "axis", "partner": "partner", "phase": "phase",
                  "spawning": "spawning", "spawn_delay": "delay"}  # fmt: skip
        values: dict[str, Value] = {name: {"address": at[f"pub_{label}"] + pair} for name, label in single.items()}
        # byte + offset = the column or row as maps give it (*family* in README.md)
        values["x"] = {"address": at["pub_x"] + pair, "offset": 1 - flags["FIRST_X"]}
        values["y"] = {"address": at["pub_y"] + pair, "offset": -flags["FIRST_Y"]}
        if seat == 1:
            values["spawn_flag"] = {"address": at["pub_spawn_flag"]}
        if flags["HIDDEN_APART"]:
            values["hidden_row"] = {"address": at[f"hidden{seat}"], "columns": BOARD[0], "column_stride": 1}
        return {
            "field": field_grid,
            "links": links,
            **values,
            "next_axis": {"address": at["pub_next_axis"] + following},
            "next_partner": {"address": at["pub_next_partner"] + following},
            "score": self._score(seat),
            "blocks": {"addresses": [at["BLOCKS_LOW"] + other, at["BLOCKS_HIGH"] + other]},
            "chain": {"address": at["CHAIN"] + other},
            "pending": {"address": at["PENDING"] + other},
            "wins": {"address": at["WINS"] + other},
            "drop_timer": {"address": at["DROP"] + other},
        }

    def _score(self, seat: int) -> Value:
        """The score's entry: a number, or decimal digits, highest first; ``zero`` is the byte of the digit 0."""
        at, zero = self.labels["SCORE"], self.variant.values.get("SCORE_ZERO")
        number: dict[str, Value] = {"address": at + 3 * (seat - 1), "type": "u24le", "scale": 10}
        if zero is None:
            return number
        digits: dict[str, Value] = {"address": at + 7 * (seat - 1), "digits": "decimal", "count": 7, "zero": zero}
        return {**digits, "scale": 10}

    def _grids(self, seat: int) -> tuple[Value, Value]:
        """The field and its links, from column 1 of row ``top`` on: 1 if the hidden row is elsewhere, else 0."""
        form, at = self.variant.form, self.labels
        grid: dict[str, Value] = {"rows": BOARD[1], "columns": BOARD[0], "top": 0}
        if form is None:
            start, steps = at[f"FIELD{seat}"] + 3, {"row_stride": 16, "column_stride": 2}
            mask, shift = 0xFF, 0
            links: list[Value] = [{"address": start - 1, **steps, "mask": 0x0F, "shift": 0}]
            return {"address": start, **grid, **steps, "mask": mask, "shift": shift}, links
        start = at[f"pub_field{seat}"] + form["FIRST"]
        if self.variant.values["HIDDEN_APART"]:
            start += form["ROW_STEP"]
            grid = {"rows": BOARD[1] - 1, "columns": BOARD[0], "top": 1}
        steps = {"row_stride": form["ROW_STEP"], "column_stride": form["COLUMN_STEP"]}
        if form["SPLIT_LINKS"]:
            links = [{"address": start + form["LINKS_AT"], **steps, "mask": 0x0F, "shift": 0}]
            return {"address": start, **grid, **steps, "mask": 0xFF, "shift": 0}, links
        low, high = 3, 12 << form["LINK_GAP"]
        if form["LINK_GAP"] == 0:
            links = [{"address": start, **steps, "mask": low | high, "shift": 0}]
        else:
            links = [{"address": start, **steps, "mask": low, "shift": 0},
                     {"address": start, **steps, "mask": high, "shift": form["LINK_GAP"]}]  # fmt: skip
        return {"address": start, **grid, **steps, "mask": 15 << form["CODE_AT"], "shift": form["CODE_AT"]}, links

    def _game(self) -> dict[str, Value]:
        names = {"mode": "MODE", "state": "STATE", "level": "LEVEL", "colors": "COLOURS", "items": "ITEMS",
                 "item_interval": "INTERVAL", "menu_row": "MENU_ROW", "limit": "LIMIT", "loser": "LOSER",
                 "music": "MUSIC"}  # fmt: skip
        values: dict[str, Value] = {name: {"address": self.labels[label]} for name, label in names.items()}
        wide = {"frame": ("FRAME", "u24le"), "overruns": ("OVERRUN", "u16le"), "sprite_overflows": ("SPROVER", "u16le")}
        values.update({name: {"address": self.labels[label], "type": kind} for name, (label, kind) in wide.items()})
        return values

    def _field_codes(self) -> dict[str, Value]:
        """The code of each kind of cell after mask and shift. Walls have a code if the field has bytes for them."""
        form = self.variant.form
        names = ("empty", *COLOURS, "nuisance", *(("wall",) if form is None or form["WALLS"] else ()))
        return {name: code << self.variant.values["CODE_SHIFT"] for code, name in enumerate(names)}

    def _pair_codes(self) -> dict[str, Value]:
        flags = self.variant.values
        named = {**dict(enumerate(COLOURS, 1)), 9: "big", 10: "carbuncle"}
        return {name: (code * flags["PAIR_TIMES"] + flags["PAIR_PLUS"]) & 255 for code, name in named.items()}

    def _phases(self) -> dict[str, Value]:
        names = ("idle", "spawn", "control", "settling", "blinking", "over")
        return {name: code * self.variant.values["PHASE_STEP"] for code, name in enumerate(names)}

    def _decoys(self) -> list[Value]:
        flags, form, at = self.variant.values, self.variant.form, self.labels
        found: list[Value] = []
        if flags["MIRROR"]:
            first, row, column = (0, 6, 1) if form is None else (form["FIRST"], form["ROW_STEP"], form["COLUMN_STEP"])
            found.append({"of": "field", "seat": 1, "address": at["mirror"] + first, "rows": 14, "columns": 6,
                          "row_stride": row, "column_stride": column, "lag": 1})  # fmt: skip
        # SHADOW: the visible cells as they are drawn, with the code in the low nibble and the links in the high one
        found += [{"of": "field", "seat": seat, "address": at["SHADOW"] + 78 * (seat - 1), "rows": 13, "columns": 6,
                   "row_stride": 6, "column_stride": 1, "mask": 0x0F, "shift": 0} for seat in (1, 2)]  # fmt: skip
        found += [{"of": axis, "seat": seat, "address": at[f"SPRITE_{axis.upper()}"] + seat - 1, "pixels": 16}
                  for seat in (1, 2) for axis in ("x", "y")]  # fmt: skip
        found.append({"of": "sprites", "address": at["SPRITES"], "bytes": 256})
        return found


def emit(data: Mapping[str, Value] | Mapping[int, Value], indent: int = 0) -> str:
    """Formats YAML. A mapping that holds mappings or lists becomes a block, any other mapping one line.

    A list with mappings has a line for each. Addresses and masks are hexadecimal.
    """
    lines = []
    for name, value in data.items():
        lead = " " * indent + f"{name}:"
        if isinstance(value, Mapping) and any(isinstance(part, Mapping | list) for part in value.values()):
            lines.append(f"{lead}\n{emit(value, indent + 2)}")
        elif isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
            lines += [lead, *(" " * (indent + 2) + f"- {_inline(part)}" for part in value)]
        else:
            lines.append(f"{lead} {_inline(value, str(name))}")
    return "\n".join(lines)


def _inline(value: Value, name: str = "") -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"0x{value:04X}" if name == "address" else f"0x{value:02X}" if name == "mask" else str(value)
    if isinstance(value, str):
        return f'"{value}"' if re.fullmatch(r"[0-9a-f]*|[yn]|on|off|yes|no|true|false|null", value) else value
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{part}: {_inline(inner, str(part))}" for part, inner in value.items()) + "}"
    inner_name = "address" if name == "addresses" else ""
    return "[" + ", ".join(_inline(part, inner_name) for part in value) + "]"


def build(variant: Variant, folder: Path) -> None:
    """Writes NAME.nes and truth.yaml into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        rom, labels = folder / f"{variant.name}.nes", Path(temporary) / "labels"
        compile_rom(variant, rom, labels)
        data = Truth(variant, read_labels(labels)).data(rom.read_bytes())
    head = "# Written by tests/variants/build.py (README.md there explains the keys): not to be edited.\n"
    (folder / "truth.yaml").write_text(f"{head}{emit(data)}\n", encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds the named variants, or all if none is named. Returns the exit code: 2 for an unknown name."""
    names = [variant.name for variant in VARIANTS]
    parser = argparse.ArgumentParser(description=f"Build variants of Ochidama: {', '.join(names)}.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which ones; all when none is named")
    parser.add_argument("--out", type=Path, default=HERE, metavar="FOLDER", help="write to FOLDER/NAME/")
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.names) - set(names))
    if unknown:
        print(f"no variant is called {unknown[0]!r}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    for variant in VARIANTS:
        if not given.names or variant.name in given.names:
            build(variant, given.out / variant.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
