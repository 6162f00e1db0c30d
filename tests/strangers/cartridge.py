"""Makes a ROM of a stranger: one program for the NES (src/family), and a block of parameters for each game.

The program keeps all of a game's state where the machine in Python keeps it, so the whole of RAM can be compared after
each frame. It plays pairs alone, on fields whose cells have a byte (or two) each. ``refused`` says what it can't play.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.strangers.maker.fields import Table
from tests.strangers.maker.flow import Mode
from tests.strangers.maker.formula import Formula
from tests.strangers.maker.hand import Packing
from tests.strangers.maker.machine import Stranger
from tests.strangers.maker.memory import CART_AT, WORK
from tests.strangers.maker.motion import BUTTONS
from tests.strangers.maker.spec import Spec
from tests.strangers.parameters import FIRST, HEADER, MOST, NUMBERS, PLACES, TABLES, layout

PROGRAM: Final = Path(__file__).resolve().parent / "family" / "family.nes"

OURS: Final = (range(0xC0, 0x100), range(0x100, 0x200))
"""What the program itself needs of work RAM: its zero page, and the processor's stack."""
OURS_IN_CARTRIDGE: Final = range(0x7800, 0x8000)
"""What it needs of the cartridge's RAM. The last page has the registers that a game keeps out of sight."""
HIDDEN_AT: Final = 0x7F00
MAGIC_AT, DONE_AT, MAGIC = 0xC0, 0xC1, 0xA5
"""A byte that is MAGIC once the game runs, and a counter of the steps that are done."""

_THEIRS: Final = np.ones(WORK, bool)
_THEIRS[[address for part in OURS for address in part]] = False


def refused(spec: Spec) -> str | None:
    """Why the program can't play a game; None where it can."""
    field = spec.field
    reasons = (
        (spec.kind != "family", "it knows the rules of pairs alone"),
        (field.form != "table", f"it knows no field of {field.form}"),
        (spec.mirror_form.form != "table", "it knows no such copy of the field"),
        (spec.opponent or spec.points_each > 0, "it has one seat"),
        (spec.area == "hidden", "a field that nobody sees can't be learnt"),
        (spec.begin not in ("empty", "heap"), "it fills a field with heaps alone"),
        (spec.formula != Formula(), "it knows the published formula alone"),
        (spec.boxed, "its pairs turn around a half"),
        (spec.hold or spec.bag, "pairs are neither held nor in a bag"),
    )
    return next((why for wrong, why in reasons if wrong), None)


class Cartridge:
    """A stranger as a ROM. ``game`` is the machine in Python in the same state, step by step; ``rom`` the cartridge.

    Raises ValueError, with the reason, for a game that the program can't play.
    """

    def __init__(self, spec: Spec) -> None:
        if why := refused(spec):
            raise ValueError(f"{spec.kind} {spec.seed} can't be a ROM: {why}")
        self.spec = spec
        self.game = Stranger(spec, (*OURS, OURS_IN_CARTRIDGE))
        self._memory = self.game.areas
        if spec.area == "cart":
            # the program's cartridge RAM is empty at first
            self.game.memory[WORK : self._memory.hidden] = bytes(self._memory.hidden - WORK)
        self.rom = self._made()

    def same(self, ram: Any, cartridge: Any = None) -> list[int]:
        """The addresses at which RAM (and the cartridge's) differs from the machine's; empty when all is alike."""
        mine = np.frombuffer(self.game.memory, np.uint8)
        found = [int(at) for at in np.flatnonzero((mine[:WORK] != ram[:WORK]) & _THEIRS)]
        if cartridge is not None and self.spec.area == "cart":
            size = OURS_IN_CARTRIDGE.start - CART_AT
            found += [CART_AT + int(at) for at in np.flatnonzero(mine[WORK : WORK + size] != cartridge[:size])]
        return found

    def _address(self, place: int) -> int:
        """The processor's address of a place; 0 where there is none."""
        if place < 0:
            return 0
        address = self._memory.address(place)
        return address if address is not None else HIDDEN_AT + place - self._memory.hidden

    def _made(self) -> bytes:
        numbers, places, tables = self._numbers(), self._places(), self._tables()
        assert set(NUMBERS) == numbers.keys(), set(NUMBERS) ^ numbers.keys()
        assert set(PLACES) == places.keys(), set(PLACES) ^ places.keys()
        assert set(TABLES) == tables.keys(), set(TABLES) ^ tables.keys()
        rom = bytearray(PROGRAM.read_bytes())
        if self.spec.area == "cart":
            # a battery, so that the cartridge's RAM is seen
            rom[6] |= 2
        for name, at in layout().items():
            kind, _, word = name.partition("_")
            data = {
                "N": lambda word=word: bytes([numbers[word]]),
                "A": lambda word=word: self._address(places[word]).to_bytes(2, "little"),
                "T": lambda word=word: bytes(tables[word]),
            }[kind]()
            assert kind != "T" or len(data) <= TABLES[word], word
            rom[HEADER + at - FIRST : HEADER + at - FIRST + len(data)] = data
        return bytes(rom)

    def _numbers(self) -> dict[str, int]:
        spec, game = self.spec, self.game
        seat = game.seats[0]
        board, hand, motion, phase = seat.board, seat.hand, seat.motion, seat.phase
        score, codes = spec.score, board.store.codes  # type: ignore[attr-defined]
        ways = [*motion._ways.items(), (0, 0)]
        low = spec.height - max(3, (spec.height - spec.hidden) // 3)
        rolls = spec.rolls * score.unit
        said = {name: int(getattr(spec, name)) for name in NUMBERS if name != "seed" and _plain(spec, name)}
        return said | {
            "beside": spec.beside,
            "blank": score.blank & 255,
            "blanks": score.blank >= 0,
            "by_codes": hand.by_codes,
            "clocks": spec.copies_of_clock,
            "coarse": spec.phase == "coarse",
            "copy": bool(spec.copy),
            "copy_picture": spec.copy == "picture",
            "count": spec.width * spec.height,
            "drop": BUTTONS[spec.drop] if spec.drop else 0,
            "find_from": 0 if spec.hidden_clear else spec.hidden * spec.width,
            "first_level": spec.menu != "none" and spec.faster > 0,
            "fraction": spec.sub == "fraction",
            "from_top": board._from_top,
            "has_turn": motion.place.turn >= 0,
            "heap": max(6, spec.width * 2) if spec.begin == "heap" else 0,
            "heap_rows": spec.height - low,
            "height_zero": board._height_zero,
            "heights": spec.landing == "heights",
            "junk": codes.junk,
            "landing": spec.landing == "mirror",
            "late": spec.copy == "late",
            "links": spec.links == "bits",
            "low_first": score.form == "little" or (score.form != "big" and score.low_first),
            "menu": ("none", "cursor", "select", "options").index(spec.menu),
            "menu_from": game.flow._from,
            "multiplier": spec.max_multiplier & 255,
            "multiplier_high": spec.max_multiplier >> 8,
            "next_bytes": hand.later.bytes,
            "number_form": {"bcd": 1, "digits": 2}.get(score.form, 0),
            "number_size": score.size,
            "other_button": ways[1][0],
            "other_by": ways[1][1] & 255,
            "pause": BUTTONS.get(spec.pause, 0),
            "per_step": spec.bonus_per_step,
            "phase_page": phase._page if spec.phase == "pointer" else 0,
            "piece_bytes": hand.now.bytes,
            "pixel_shift": max(0, (motion._pixels or 1).bit_length() - 1),
            "pixels": motion._pixels,
            "place": ("axis", "halves", "cell", "pointer").index(spec.place),
            "powers": len(spec.chain_power),
            "rest": codes.rest,
            "ring": hand._ring,
            "rolling": spec.rolls > 0,
            "rolls": rolls & 255,
            "rolls_high": rolls >> 8,
            "row_length": spec.width + spec.row_extra,
            "second": getattr(board.store, "_second", 0),
            "seed": spec.seed & 255,
            "shown": spec.mirror == "shown",
            "sizes": len(spec.group_bonus),
            "slots": hand._ring or len(hand._slots),
            "soft": spec.soft or 1,
            "spawn_column": spec.spawn[0],
            "spawn_row": spec.spawn[1],
            "spawn_turn": spec.spawn[2],
            "stir": ("never", "menu", "always").index(spec.stir),
            "tens": score.unit == 10,
            "turn_button": ways[0][0],
            "turn_by": ways[0][1] & 255,
            "unit_shift": board._height_unit.bit_length() - 1,
            "visible": spec.hidden * spec.width,
            "walls": len(self._walls()) // 3,
            "wide": spec.field.wide,
            "zero": score.zero,
        }

    def _places(self) -> dict[str, int]:
        game = self.game
        seat, flow = game.seats[0], game.flow
        board, hand, motion, phase = seat.board, seat.hand, seat.motion, seat.phase
        place = motion.place
        halves = self.spec.place == "halves"
        slots = hand._slots or [-1]
        return {
            "angle": motion._angle,
            "auto": flow._auto,
            "beside": seat.beside,
            "chain": seat._chain,
            "clock": game.areas.clock,
            "coarse": phase._shown,
            "copy": board.copy,
            "cursor": flow.cursor,
            "dice": game.dice.at,
            "fallen": seat._fallen,
            "fresh": motion._fresh,
            "gain": seat._gain,
            "head": hand._head,
            "heights": board.heights,
            "held": seat.held,
            "high": flow.high.at if flow.high is not None else -1,
            "left": board.left,
            "letters": flow._letters,
            "level": seat.level,
            "mode": flow.mode_at,
            "music": game._music,
            "new": seat.new,
            "option": flow.option,
            "phase": phase.at,
            "piece": hand.at,
            "pieces": seat.pieces,
            "raw": game._raw,
            "repeat": motion._repeat,
            "rest": motion._rest,
            "score": seat.score.at,
            "scroll": game._scroll,
            "slot1": slots[-1] if not hand._ring else -1,
            "slots": slots[0],
            "speed": motion.speed,
            "stars": flow._stars,
            "tested": motion._tested,
            "tick": motion._tick,
            "time": flow._time,
            "timer": seat._timer,
            "total": seat.total.at,
            "turn": place.turn,
            "wait": flow._timer,
            "waited": seat.intruders._waited,
            "x": place.x[0],
            "x2": place.x[1] if halves else -1,
            "y": place.y[0] if place.y else -1,
            "y2": place.y[1] if halves else -1,
        }

    def _tables(self) -> dict[str, list[int] | bytes]:
        spec, game = self.spec, self.game
        seat = game.seats[0]
        board, hand, place, phase = seat.board, seat.hand, seat.motion.place, seat.phase
        codes = board.store.codes  # type: ignore[attr-defined]
        by_cell = spec.place == "cell"
        powers = [*spec.chain_power]
        limit = min(seat._limit, 0xFFFFFFFF)
        return {
            "back": codes.back,
            "write": [byte & 255 for byte in codes.write],
            "columns": [at % place._row if by_cell else _near(place._columns[at]) for at in range(256)],
            "rows": [at // place._row if by_cell else _near(place._rows[at]) for at in range(256)],
            "sunk": [place._row_of(at)[1] for at in range(256)],
            "sides": place._sides,
            "piece_turn": [_told(hand, byte) for byte in range(256)],
            "hidden": game.memory[game.areas.hidden : game.areas.hidden + 256],
            **_unpacked("piece", hand.now, by_codes=hand.by_codes),
            **_unpacked("next", hand.later),
            "piece_pack": _packed(hand.now, hand if hand.by_codes else None),
            "next_pack": _packed(hand.later),
            "store": self._table(board.store),
            "shown": self._table(board.shown),
            "landing": self._table(board.landing),
            "seen": self._table(board.shown or board.store),
            "column": [at % spec.width for at in range(spec.width * spec.height)],
            "row": [at // spec.width for at in range(spec.width * spec.height)],
            "power": [value & 255 for value in powers],
            "power_high": [value >> 8 for value in powers],
            "group_bonus": list(spec.group_bonus),
            "color_bonus": list(spec.color_bonus),
            "x": [place._x(column) for column in range(-2, 12)] if place.y else [],
            "y": [place._y(row, 0) for row in range(-2, 20)] if place.y else [],
            "phases": phase.codes,
            "coarse": getattr(phase, "_coarse", []),
            "modes": [game.flow.codes[mode] for mode in Mode],
            "tiles": board._tiles,
            "row_start": [row * spec.width for row in range(spec.height)],
            "side_codes": list(spec.sides),
            "limit": limit.to_bytes(4, "little"),
            "clocks": [byte for at in game._clocks for byte in self._address(at).to_bytes(2, "little")],
            "walls": self._walls(),
            "image": game.memory[:WORK],
        }

    def _table(self, store: Any) -> list[int]:
        """The addresses of a field's cells: the low bytes, then the high ones."""
        if not isinstance(store, Table):
            return []
        addresses = [self._address(place) for place in store.places]
        room = [0] * (MOST - len(addresses))
        return [at & 255 for at in addresses] + room + [at >> 8 for at in addresses] + room

    def _walls(self) -> list[int]:
        """What stands around the fields and never changes: address and byte."""
        board, found = self.game.seats[0].board, []
        for store in (board.store, board.shown, board.landing):
            if isinstance(store, Table):
                codes = store.codes
                wall = codes.to[7] if codes.to[7] >= 0 else 0xFF
                bytes_at = dict.fromkeys(store._around, wall)
                for number, place in enumerate(store._besides):
                    bytes_at[place] = codes.to[(0, 0, 1, 2)[number * 7 % 4]] & 255
                for place, byte in bytes_at.items():
                    found += [*self._address(place).to_bytes(2, "little"), byte]
        return found


def _plain(spec: Spec, name: str) -> bool:
    """Whether a number is a number of the spec, too."""
    return isinstance(getattr(spec, name, None), int)


def _near(at: int) -> int:
    """A column or row as a signed byte; what is far outside stays outside."""
    return max(-100, min(100, at)) & 255


def _told(hand: Any, byte: int) -> int:
    """The orientation that a byte of the piece tells."""
    return hand._rules.told(hand.now.unpack(bytes([byte] * hand.now.bytes)))[1] if hand.by_codes else 0


def _unpacked(name: str, packing: Packing, *, by_codes: bool = False) -> dict[str, list[int]]:
    """What each byte of a piece means: tables for the first and the second half."""
    kinds = [packing.unpack(bytes([byte] * packing.bytes)) for byte in range(256)]
    mask = 15 if by_codes else 255
    return {f"{name}_first": [kind[0] & mask for kind in kinds], f"{name}_second": [kind[1] & mask for kind in kinds]}


def _packed(packing: Packing, turning: Any = None) -> list[int]:
    """The bytes of each pair: of two bytes by orientation, half and colour; of one by both colours."""
    found = [0] * 64
    for first in packing.values:
        if packing.bytes == 1:
            for second in packing.values:
                found[first << 3 | second] = packing.pack((first, second))[0]
            continue
        for turn in range(4):
            kind = (first, first)
            both = packing.pack(turning._rules.worn(kind, turn) if turning is not None else kind)
            found[turn << 4 | first], found[turn << 4 | 8 | first] = both
    return found
