"""Games whose RAM has other addresses and forms are played from a map alone: every lock is predicted correctly."""

from __future__ import annotations

import random
from typing import Any

import pytest
from ochibot.console import Button, Ram
from ochibot.falling.orientation import Orientation
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo.family import FAMILY
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot

from tests.games.othergame import Layout, Moment, OtherGame, map_of, seat_of, with_rows
from tests.puyo import FAMICOM

NAMES = ("empty", "red", "green", "blue", "yellow", "purple", "cyan", "nuisance")

Map = dict[str, Any]


# -- 13 + 1 rows: bit fields, x from 0, y from the floor, orientations mirrored and turned, decimal digits


def bit_fields(ram: Ram, now: Moment) -> None:
    for y, row in enumerate(now.cells):
        for x, code in enumerate(row):
            linked = 0b101 if code and x and row[x - 1] == code else 0
            ram[0x200 + 12 * y + x] = code * 16 | linked
    ram[0x40], ram[0x41] = now.state.x - 1, 13 - now.state.y
    ram[0x42] = {"UP": 0x10, "LEFT": 0x31, "DOWN": 0x22, "RIGHT": 0x03}[now.state.orientation.name]
    ram[0x43] = now.pair.partner << 4 | now.pair.axis
    ram[0x44] = now.following.axis << 4 | now.following.partner
    for at, digit in enumerate(f"{now.score:08d}"):
        ram[0x50 + at] = 0xF6 + int(digit) & 0xFF
    ram[0x60] = 9 if now.over else 2 if now.announced else 4


BIT_FIELDS: Map = {
    "entries": {
        "field": {"address": 0x200, "rows": 14, "columns": 6, "row_stride": 12, "column_stride": 1,
                  "mask": 0xF0, "codes": "high"},
        "x": {"address": 0x40, "offset": 1},
        "y": {"address": 0x41, "scale": -1, "offset": 13},
        "orientation": {"address": 0x42, "mask": 0x0F, "symbols": "turn"},
        "axis": {"address": 0x43, "mask": 0x0F, "codes": "low"},
        "partner": {"address": 0x43, "mask": 0xF0, "codes": "high"},
        "next_axis": {"address": 0x44, "mask": 0xF0, "codes": "high"},
        "next_partner": {"address": 0x44, "mask": 0x0F, "codes": "low"},
        "score": {"address": 0x50, "count": 8, "digits": "decimal", "zero": 0xF6},
        "phase": {"address": 0x60, "symbols": "phases"},
    },
    "codes": {
        "high": {16 * code: name for code, name in enumerate(NAMES)},
        "low": dict(enumerate(NAMES)),
        "turn": {0: "up", 1: "left", 2: "down", 3: "right"},
        "phases": {2: "coming", 4: "mine", 9: "lost"},
    },
    "signs": {
        "spawn": {"entry": "phase", "is": "coming"},
        "control": {"entry": "phase", "is": "mine"},
        "over": {"entry": "phase", "is": ["lost"]},
    },
}  # fmt: skip


# -- 12 + 1 rows in a grid of 13, column by column from the floor up; both halves' positions; BCD; a counter of spawns


def halves_in_columns(ram: Ram, now: Moment) -> None:
    for x in range(6):
        for y in range(13):
            ram[0x300 + 16 * x + y] = 0x80 + now.cells[13 - y][x]
    ram[0x20], ram[0x21], ram[0x22], ram[0x23] = *now.partner, now.state.x, now.state.y
    ram[0x24], ram[0x25] = 0x80 + now.pair.partner, 0x80 + now.pair.axis
    ram[0x26], ram[0x27] = 0x80 + now.following.partner, 0x80 + now.following.axis
    for at, digits in enumerate(bytes.fromhex(f"{now.score:08d}")):
        ram[0x30 + at] = digits
    ram[0x38], ram[0x39] = now.pairs & 0xFF, int(not now.announced)
    ram[0x3A] = 0xFF if now.over else 0


HALVES: Map = {
    "pair": {"denotes": "halves"},
    "entries": {
        "field": {"address": 0x30C, "rows": 13, "columns": 6, "row_stride": -1, "column_stride": 16,
                  "top": 1, "codes": "puyo"},
        "partner_x": {"address": 0x20},
        "partner_y": {"address": 0x21, "type": "s8"},
        "x": {"address": 0x22},
        "y": {"address": 0x23},
        "partner": {"address": 0x24, "codes": "puyo"},
        "axis": {"address": 0x25, "codes": "puyo"},
        "next_partner": {"address": 0x26, "codes": "puyo"},
        "next_axis": {"address": 0x27, "codes": "puyo"},
        "score": {"address": 0x30, "type": "u32be", "digits": "bcd"},
        "pieces": {"address": 0x38},
        "free": {"address": 0x39},
        "lost": {"address": 0x3A, "type": "s8"},
    },
    "codes": {"puyo": {0x80 + code: name for code, name in enumerate(NAMES)}},
    "signs": {
        "spawn": {"entry": "pieces", "changes": True},
        "control": {"entry": "free", "is_not": 0},
        "over": {"entry": "lost", "is": -1},
    },
}  # fmt: skip


# -- 12 + 1 rows and a row for the partner; a grid of the 12 visible rows, two cells a byte; positions in pixels


def nibbles_and_pixels(ram: Ram, now: Moment) -> None:
    for y in range(12):
        row = now.cells[y + 2]
        for x in range(0, 6, 2):
            ram[0x400 + 4 * y + x // 2] = row[x] << 4 | row[x + 1]
    left, top = 24 + 16 * (now.partner[0] - 1) + 5, 8 + 16 * (now.partner[1] - 2) + 3
    ram[0x10], ram[0x11] = left & 0xFF, left >> 8
    ram[0x12], ram[0x13] = top >> 8 & 0xFF, top & 0xFF
    ram[0x14] = 0x40 * int(now.state.orientation)
    ram[0x15], ram[0x16] = now.pair
    ram[0x17], ram[0x18] = now.following
    for at, byte in enumerate((now.score // 10).to_bytes(3, "big")):
        ram[0x1A + at] = byte
    ram[0x1F] = 0x80 * now.over + 1 * now.announced


PIXELS: Map = {
    "pair": {"denotes": "partner"},
    "entries": {
        "field": {
            "address": 0x400, "rows": 12, "columns": 6, "row_stride": 8, "column_stride": 1, "top": 2,
            "cells_per_byte": 2, "order": "high_first", "codes": "puyo",
        },
        "x": {"address": 0x10, "type": "u16le", "origin": 24, "divide": 16, "offset": 1},
        "y": {"address": 0x12, "type": "s16be", "origin": 8, "divide": 16, "offset": 2},
        "orientation": {"address": 0x14, "mask": 0xC0, "shift": 6},
        "axis": {"address": 0x15, "codes": "puyo"},
        "partner": {"address": 0x16, "codes": "puyo"},
        "next_axis": {"address": 0x17, "codes": "puyo"},
        "next_partner": {"address": 0x18, "codes": "puyo"},
        "score": {"address": 0x1A, "type": "u24be", "scale": 10},
        "waits": {"address": 0x1F, "mask": 0x01},
        "ended": {"address": 0x1F, "mask": 0x80},
    },
    "codes": {"puyo": dict(enumerate(NAMES))},
    "signs": {
        "spawn": {"entry": "waits", "rises": True},
        "control": {"all": [{"entry": "waits", "is": 0}, {"entry": "ended", "is": 0}]},
        "over": {"entry": "ended", "is_not": 0},
    },
}  # fmt: skip


# -- 12 + 2 rows, a word for each cell, in a structure whose address changes with every pair


def moving_structure(ram: Ram, now: Moment) -> None:
    base = 0x500 if now.pairs % 2 else 0x620
    ram[0x08], ram[0x09] = base >> 8, base & 0xFF
    for at in range(0x100):
        ram[0x500 + at] = ram[0x620 + at] = 0xEE
    for at, value in enumerate((now.state.x, now.state.y, int(now.state.orientation), *now.pair, *now.following)):
        ram[base + at] = value
    for y, row in enumerate(now.cells):
        for x, code in enumerate(row):
            ram[base + 0x10 + 16 * y + 2 * x] = 0x30 + code
            ram[base + 0x11 + 16 * y + 2 * x] = 0xC0 | x
    for at, byte in enumerate(now.score.to_bytes(4, "little")):
        ram[0x0A + at] = byte
    ram[0x0F] = 7 if now.over else 1 if now.announced else 2


def _in_structure(offset: int, **more: Any) -> Map:
    return {"pointer": {"address": 0x08, "type": "u16be", "offset": offset}, **more}


POINTERS: Map = {
    "entries": {
        "field": _in_structure(
            0x10, rows=14, columns=6, row_stride=16, column_stride=2, type="u16le", mask=0x3F, codes="cells"
        ),
        "x": _in_structure(0),
        "y": _in_structure(1),
        "orientation": _in_structure(2),
        "axis": _in_structure(3, codes="puyo"),
        "partner": _in_structure(4, codes="puyo"),
        "next_axis": _in_structure(5, codes="puyo"),
        "next_partner": _in_structure(6, codes="puyo"),
        "score": {"address": 0x0A, "type": "u32le"},
        "moment": {"address": 0x0F},
    },
    "codes": {"puyo": dict(enumerate(NAMES)), "cells": {0x30 + code: name for code, name in enumerate(NAMES)}},
    "signs": {
        "spawn": {"entry": "moment", "is": 1},
        "control": {"entry": "moment", "is": 2},
        "over": {"entry": "moment", "is": 7},
    },
}

# -- the 13 + 1 rows in bit fields again, with a map that leaves the hidden row out

VISIBLE = {**BIT_FIELDS, "entries": {**BIT_FIELDS["entries"], "field": {
    **BIT_FIELDS["entries"]["field"], "address": 0x200 + 12, "rows": 13, "top": 1,
}}}  # fmt: skip

GAMES: dict[str, tuple[Rules, Layout, Map]] = {
    "13+1 in bit fields": (FAMICOM, bit_fields, BIT_FIELDS),
    "12+1 in columns": (with_rows(12, 1), halves_in_columns, HALVES),
    "12+1 in nibbles, its hidden row unread": (with_rows(12, 1, "vanish"), nibbles_and_pixels, PIXELS),
    "12+2 in words, by a pointer": (with_rows(12, 2), moving_structure, POINTERS),
    "13+1, its hidden row unread": (FAMICOM, bit_fields, VISIBLE),
}
MIRRORED = {0: Orientation.DOWN, 1: Orientation.LEFT, 2: Orientation.UP, 3: Orientation.RIGHT}


class Stacker:
    """A player that stacks high, so that it fills the hidden rows, and sets off a chain now and then."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules, self._dice = rules, random.Random(seed)

    def choose(self, snapshot: Snapshot) -> Any:
        """With an even chance, the first placement with a chain, if any; else the highest of three random ones."""
        there = FAMILY.placements(snapshot, self._rules)
        good = [(FAMILY.decide(snapshot, placement, self._rules), placement) for placement in there]
        alive = [pair for pair in good if not pair[0].outcome.game_over] or good
        clearing = [pair for pair in alive if pair[0].outcome.chain]
        if clearing and self._dice.random() < 0.5:
            return clearing[0][1]
        return min(self._dice.sample(alive, min(3, len(alive))), key=lambda pair: pair[1].y)[1]


def played(rules: Rules, layout: Layout, content: Map, seed: int, pieces: int) -> tuple[OtherGame, SeatPlayer]:  # type: ignore[type-arg]
    game = OtherGame(seed=seed, colors=4, drop_frames=40, rules=rules, layout=layout)
    seat = seat_of(map_of(content), game.ram, rules, MIRRORED)
    player: SeatPlayer = SeatPlayer(seat, Stacker(rules, seed), speed_of(10))  # type: ignore[type-arg]
    seat.resync()
    player.spawn()
    pad = Button.NONE
    for _ in range(200 * pieces):
        game.step(pad)
        if seat.over() or game.locks >= pieces:
            break
        pad = player.frame()
    player.game_over()
    return game, player


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long) if "pointer" in name or "nibbles" in name else name for name in GAMES],
)
def test_a_game_is_played_from_its_map_alone(name: str) -> None:
    rules, layout, content = GAMES[name]
    pieces = high = 0
    for seed in range(4):
        game, player = played(rules, layout, content, seed, 60)
        tally = player.tally
        assert tally.agreement == 1, player.last_disagreement
        assert tally.faults == 0
        assert tally.pieces in (game.locks, game.locks - 1)
        pieces += tally.pieces
        high += any(any(row) for row in game.field.cells[: 14 - rules.visible_rows].tolist())
    assert pieces > 80
    assert high, "no game went up into the hidden rows, so this proves little"


def test_a_puyo_in_sight_that_isnt_as_foreseen_is_reported_though_the_hidden_row_is_unread() -> None:
    rules, layout, content = GAMES["13+1, its hidden row unread"]
    game, player = played(rules, layout, content, 1, 12)
    seat = player.seat
    player.keep_going = True
    player.rejoin()
    before = player.tally.disagreements
    locks = game.locks
    pad = player.frame()
    while game.locks == locks:
        game.step(pad)
        pad = player.frame() if game.locks == locks else pad
    game.ram[0x200 + 12 * 13] ^= 0x30  # the cell in the lower left corner
    player.frame()
    assert player.tally.disagreements == before + 1
    assert "the top row isn't in the map's field" in (player.last_disagreement or "")
    assert seat.number == 1
