"""Plays a game of an arena again from its deal and its locks, and makes scenes to look at, frame by frame.

Locks, chains and falling nuisance are shown on the same frames as in the match. The motion between them is invented: a
pair turns and moves sideways first, then falls; the steps of a chain share the chain's time evenly.

Reads the games that an arena has kept in its folder.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from ochibot.errors import ConfigError, OchibotError
from ochibot.lab.contest.arena import check_pair
from ochibot.lab.contest.table import GAMES, GameRecord, Move, NyaaTable, PuyoTable
from ochibot.lab.sharded.folder import WHAT, kept_shards
from ochibot.nyaa.rules import grid as nyaa_grid
from ochibot.nyaa.rules.lock import locked
from ochibot.nyaa.rules.pair import SPAWN
from ochibot.nyaa.rules.pair import halves as nyaa_halves
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.wave import NEIGHBOURS, groups_of
from ochibot.nyaa.sim.match import Match as NyaaMatch
from ochibot.nyaa.sim.timed import NEOGEO_TIMING
from ochibot.nyaa.sim.timed import TimedMatch as NyaaTimed
from ochibot.overlay.duel import COLORS, NEEDLE, NUISANCE, DuelScene
from ochibot.overlay.standing import Standing
from ochibot.puyo.rules.field import NUISANCE as PUYO_NUISANCE
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.pair import halves as puyo_halves
from ochibot.puyo.rules.steps import lock_stages
from ochibot.quoting import brief


class KeptArena:
    """An arena's folder, opened for reading. The arena may still be playing."""

    def __init__(self, path: Path) -> None:
        """Raises ConfigError for a folder that holds no arena, is damaged, or was played with other durations."""
        self.path = path
        what: Any
        try:
            what = json.loads((path / WHAT).read_text(encoding="utf-8"))
            if not isinstance(what, dict) or what.get("experiment") != "arena":
                raise ConfigError(f"{path} holds no arena: give the folder of an `ochibot arena`")
            self.names = [brief(str(player["name"])) for player in what["players"]]
            self._what, self._seed = what, int(what["seed"])
            if len(self.names) < 2:
                raise ValueError("an arena has two players at least")
            table = {name: value for name, value in what["table"].items() if name != "timing"}
            if table["game"] not in GAMES:
                games = brief(str(table["game"]))
                raise ConfigError(f"{path}: games of {games} can't be shown, only those of {', '.join(GAMES)}")
            kind: Any = NyaaTable if table["game"] == "nyaa" else PuyoTable
            self.table: PuyoTable | NyaaTable = TypeAdapter(kind).validate_python(table)
        except OSError as error:
            raise ConfigError(
                f"{path} holds no arena ({error.strerror or error}): give the folder of an `ochibot arena`"
            ) from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            named = isinstance(error, ValidationError | RecursionError)
            reason = type(error).__name__ if named else brief(str(error))
            raise ConfigError(f"{path / WHAT} is damaged ({reason}): give another folder") from None
        if json.loads(json.dumps(self.table.identity())) != what["table"]:
            raise ConfigError(f"{path} was played with other durations of the match than this Ochibot has")
        self._pairings = list(combinations(range(len(self.names)), 2))

    def _check(self, number: int, result: Mapping[str, Any]) -> None:
        check_pair(result, self._seed, number // len(self._pairings))

    def replay(self, number: int) -> ArenaReplay:
        """Finds a game by its number. Games are numbered from 1, two for each shard. Raises ConfigError."""
        shard, game = divmod(number - 1, 2)
        seen = 0
        for place, result in kept_shards(self.path, self._what, self._check):
            seen += 1
            if place == shard:
                first, second = (self.names[one] for one in self._pairings[shard % len(self._pairings)])
                names = (second, first) if game else (first, second)
                return ArenaReplay(self.table, names, result["games"][game])
        raise ConfigError(f"{self.path} has no game {number:,} yet: it has {2 * seen:,}")


AFTER: Final = 120
"""For how many frames the last picture stays after the end of the game."""
_ASIDE: Final = 0.5
"""The share of a pair's time under control during which it moves to its column."""
_CLEARING: Final = 3
"""How many times as long a stage is shown if something clears in it."""

Rows = list[list[int]]
Cells = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class _ReplayStage:
    rows: Rows
    clearing: Cells = frozenset()
    call: str = ""


class _Totals(NamedTuple):
    """What a side has done so far. best: its longest chain, or its greatest attack."""

    pieces: int = 0
    score: int = 0
    sent: int = 0
    best: int = 0


@dataclass(frozen=True)
class _PairTurn:
    """One pair of one side. spawned, control, locked: the frames of its spawn, of its first control and of its lock.
    rows: the field before the lock. halves: (row, column, code) of both halves at the spawn, and of both at the lock.
    stages: the pictures from the lock to the next spawn. following: the colours of the next pair's partner and axis.
    totals: the side's before the lock.
    """

    spawned: int
    control: int
    locked: int
    rows: Rows
    halves: tuple[tuple[tuple[float, int, int], ...], ...]
    stages: tuple[_ReplayStage, ...]
    following: tuple[int, int]
    totals: _Totals


@dataclass
class _ReplaySide:
    """One side of the match. waits: (frame, waiting nuisance), an entry for each change. end: the last field. totals:
    those at the end.
    """

    turns: list[_PairTurn] = field(default_factory=list)
    waits: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])
    end: Rows = field(default_factory=list)
    totals: _Totals = field(default_factory=_Totals)


class ArenaReplay:
    """A recorded game as scenes to be drawn. Frames are counted from 0."""

    def __init__(self, table: PuyoTable | NyaaTable, names: tuple[str, str], game: GameRecord) -> None:
        """``names``: the names of players 1 and 2. Raises ConfigError when the locks don't fit the deal."""
        self.names = names
        self.game = game
        self._sides = _ReplaySide(), _ReplaySide()
        self._best_of = "chain" if isinstance(table, PuyoTable) else "attack"
        self.size = (13, 6) if isinstance(table, PuyoTable) else (nyaa_grid.ROWS, nyaa_grid.COLUMNS)
        """Rows and columns of a field."""
        moves = [iter(Move.parse(text)) for text in game["moves"]]
        try:
            if isinstance(table, PuyoTable):
                loser = self._play_puyo(table, moves)
            else:
                loser = self._play_nyaa(table, moves)
        except OchibotError as error:
            raise ConfigError(f"the replay doesn't fit its deal: {str(error).splitlines()[0]}") from None
        # who loses by a fault hasn't lost on the field
        ended = 0 if game.get("fault") else game["loser"]
        if (loser or 0) != ended or [side.totals.pieces for side in self._sides] != game["pieces"]:
            raise ConfigError("the replay ends otherwise than the game did: it was played by other rules or durations")
        self._spawns = tuple([turn.spawned for turn in side.turns] for side in self._sides)

    @property
    def frames(self) -> int:
        """How many frames can be shown: the game's frames and ``AFTER`` more."""
        return self.game["frames"] + AFTER

    def scenes(self, frame: int) -> tuple[DuelScene, DuelScene]:
        """The scenes of both sides at a frame."""
        return self._scene(0, frame), self._scene(1, frame)

    def _play_puyo(self, table: PuyoTable, moves: list[Iterator[Move]]) -> int | None:
        match = table.cartridge.match(table.deal(self.game["deal"]), table.rules)
        timed = table.cartridge.timed(match, table.cartridge.timing, 0)
        delay = table.cartridge.timing.spawn_delay
        while (seat := timed.waiting()) is not None:
            self._note(timed.frame, [one.tray.waiting for one in match.seats])
            if (move := next(moves[seat - 1], None)) is None:
                break
            own, at = match.side(seat), table.placement(move)
            states = table.rules.spawn, at
            flown = tuple(
                tuple((float(y - 1), x - 1, code) for (x, y), code in zip(puyo_halves(state), own.pair, strict=True))
                for state in states
            )
            stages: list[_ReplayStage] = []
            for step, (after, doomed) in enumerate(lock_stages(own.field, own.pair, at, table.rules), 1):
                call = f"{step}-chain!" if doomed else stages[-1].call if stages else ""
                stages.append(_ReplayStage(_puyo_rows(after), frozenset((y - 1, x - 1) for x, y in doomed), call))
            begin = timed.spawned(seat)
            self._sides[seat - 1].turns.append(
                _PairTurn(
                    begin,
                    begin + delay,
                    begin + delay + move.control,
                    _puyo_rows(own.field),
                    flown,
                    tuple(stages),
                    (own.next_pair.partner, own.next_pair.axis),
                    _Totals(own.pieces, own.score, own.sent, own.best_chain),
                )
            )
            timed.lock(seat, at, move.control, move.soft_rows)
        for side, one in zip(self._sides, match.seats, strict=True):
            side.end = _puyo_rows(one.field)
            side.totals = _Totals(one.pieces, one.score, one.sent, one.best_chain)
        self._note(timed.frame, [one.tray.waiting for one in match.seats])
        return timed.loser

    def _play_nyaa(self, table: NyaaTable, moves: list[Iterator[Move]]) -> int | None:
        match = NyaaMatch(table.deal(self.game["deal"]), table.rules)
        timed = NyaaTimed(match)
        spawn = SPAWN._replace(x=table.rules.spawn_column)
        while (seat := timed.waiting()) is not None:
            self._note(timed.frame, [one.pending for one in match.seats])
            if (move := next(moves[seat - 1], None)) is None:
                break
            own, at = match.seat(seat), table.placement(move)
            needle = NEEDLE if move.needle else 0
            first = zip(nyaa_halves(spawn), own.pair, strict=True)
            final = zip(nyaa_halves(at), own.pair, strict=True)
            flown = (
                tuple((float(y - 1), x - 1, code) for (x, y), code in first),
                tuple((float(y - 1), x - 1, code + needle) for (x, y), code in final),
            )
            begin = timed.spawned(seat)
            before, totals = own.grid, _Totals(own.pieces, own.score, own.sent, own.best_attack)
            landed, following = locked(own.grid, own.pair, at)[0], own.nexts[0]
            done = timed.lock(seat, at, move.control)
            rows = _nyaa_rows(landed)
            after = _nyaa_rows(done.grid)
            call = f"attack {done.attack}!" if done.ignited else ""
            burnt = [_ReplayStage(rows, _burning(landed, table.rules), call)]
            burnt += [_ReplayStage(after, call=call)] if done.ignited else []
            self._sides[seat - 1].turns.append(
                _PairTurn(
                    begin,
                    begin + NEOGEO_TIMING.spawn_delay,
                    begin + NEOGEO_TIMING.spawn_delay + move.control,
                    _nyaa_rows(before),
                    flown,
                    tuple(burnt),
                    (following.partner, following.axis),
                    totals,
                )
            )
        for side, one in zip(self._sides, match.seats, strict=True):
            side.end = _nyaa_rows(one.grid)
            side.totals = _Totals(one.pieces, one.score, one.sent, one.best_attack)
        self._note(timed.frame, [one.pending for one in match.seats])
        return timed.loser

    def _note(self, frame: int, waiting: list[int]) -> None:
        for side, number in zip(self._sides, waiting, strict=True):
            if side.waits[-1][1] != number:
                side.waits.append((frame, number))

    def _scene(self, index: int, frame: int) -> DuelScene:
        side = self._sides[index]
        waiting = side.waits[bisect_right(side.waits, frame, key=lambda wait: wait[0]) - 1][1]
        number = bisect_right(self._spawns[index], frame) - 1
        if frame >= self.game["frames"] or number < 0:
            result = {0: "draw", index + 1: "lost"}.get(self.game["loser"], "won")
            call = result if number >= 0 else ""
            shown = side if number >= 0 else _ReplaySide()
            return DuelScene(shown.end, self._standing(index, shown.totals, call, ()), waiting=waiting)
        turn = side.turns[number]
        if frame < turn.locked:
            return DuelScene(
                turn.rows,
                self._standing(index, turn.totals, "", turn.following),
                falling=_falling(turn, frame),
                waiting=waiting,
            )
        ahead = side.turns[number + 1] if number + 1 < len(side.turns) else None
        until = ahead.spawned if ahead is not None else self.game["frames"]
        stage = _stage(turn, frame, until)
        return DuelScene(
            stage.rows, self._standing(index, turn.totals, stage.call, turn.following), stage.clearing, (), waiting
        )

    def _standing(self, index: int, shown: _Totals, call: str, following: tuple[int, ...]) -> Standing:
        return Standing(
            (self.names[index], f"seat {index + 1}"),
            shown.pieces,
            shown.best,
            self._best_of,
            score=shown.score,
            call=call,
            rows=(("nuisance sent", f"{shown.sent:,}"),),
            following=tuple(COLORS[code] for code in following),
        )


def _falling(turn: _PairTurn, frame: int) -> tuple[tuple[float, int, int], ...]:
    """Where the halves are at a frame. They first move sideways and turn in the row of the spawn, then move down."""
    first, last = turn.halves
    if frame < turn.control:
        return first
    share = (frame - turn.control) / max(turn.locked - turn.control, 1)
    if share < _ASIDE:
        # the pair moves by whole columns, as in the game
        part = share / _ASIDE
        moved = round((last[0][1] - first[0][1]) * part)
        turned = part > 0.5
        shape = last if turned else first
        return tuple(
            (first[0][0] + row - shape[0][0], first[0][1] + moved + column - shape[0][1], code)
            for row, column, code in shape
        )
    part = (share - _ASIDE) / (1 - _ASIDE)
    down = (last[0][0] - first[0][0]) * (part - 1)
    return tuple((row + down, column, code) for row, column, code in last)


def _stage(turn: _PairTurn, frame: int, until: int) -> _ReplayStage:
    weights = [_CLEARING if stage.clearing else 1 for stage in turn.stages]
    passed = (frame - turn.locked) / max(until - turn.locked, 1) * sum(weights)
    for stage, weight in zip(turn.stages, weights, strict=True):
        if passed < weight:
            return stage
        passed -= weight
    return turn.stages[-1]


def _puyo_rows(field: Field) -> Rows:
    """The visible rows of a field, the top one first."""
    rows: Rows = field.cells[1:].tolist()
    assert PUYO_NUISANCE == NUISANCE
    return rows


def _burning(grid: nyaa_grid.Grid, rules: Rules) -> Cells:
    """The cells (row, column) to mark in an ignition: blocks that pop, needles, and nuisance that vanishes."""
    popped = {cell for group in groups_of(grid) for cell in group.cells}
    if not popped:
        return frozenset()
    needles = {cell for cell in range(nyaa_grid.CELLS) if grid.needle(cell)}
    beside = {near for cell in popped for near, _ in NEIGHBOURS[cell] if grid.block(near) == nyaa_grid.NUISANCE}
    gone = popped | needles | (beside if rules.nuisance_pops else set())
    return frozenset(divmod(cell, nyaa_grid.COLUMNS) for cell in gone)


def _nyaa_rows(grid: nyaa_grid.Grid) -> Rows:
    shift = NEEDLE - nyaa_grid.NUISANCE
    own = {code: code + shift if code > nyaa_grid.NUISANCE else code for code in range(len(nyaa_grid.SYMBOLS))}
    own[nyaa_grid.NUISANCE] = NUISANCE
    codes = [own[code] for code in grid.codes]
    width = nyaa_grid.COLUMNS
    return [codes[begin : begin + width] for begin in range(0, len(codes), width)]
