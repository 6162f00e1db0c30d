"""Random locks and moves in the cartridge, compared with ``ochibot.puyo``: field, score, chain, frames, nuisance."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ochibot.console import Button
from ochibot.falling.orientation import STEP, Orientation
from ochibot.puyo import load_rules
from ochibot.puyo.pairs.tsu import nuisance_order, step
from ochibot.puyo.rules.field import COLUMNS, EMPTY, NUISANCE, ROWS, Field
from ochibot.puyo.rules.motion import dropped, fits, move
from ochibot.puyo.rules.nuisance import Tray
from ochibot.puyo.rules.pair import Action, Pair, PairState, Placement
from ochibot.puyo.rules.steps import lock_piece

from tests.homebrew.megadrive.driver import CONTROL, LOST, RANDOM_STATE, SPAWNING, Cartridge, random_field

RULES = load_rules("tsu")
LINKS = {1: (0, -1), 2: (1, 0), 4: (0, 1), 8: (-1, 0)}
DRAW_STACK = 0x00FF7FE8


@dataclass
class Compared:
    """Counts of what was compared. different: what differed, each with the number of its trial."""

    locks: int = 0
    clears: int = 0
    longest: int = 0
    fallen: int = 0
    offset: int = 0
    all_clears: int = 0
    lost: int = 0
    different: list[str] = field(default_factory=list)


def _columns_of(count: int, order: Iterable[int], heights: Sequence[int]) -> tuple[int, ...]:
    """How many nuisance puyos fall into each of the columns 1..6.

    ``count``: the nuisance waiting; at most 30 fall at a time. ``order``: see ``nuisance_order``. ``heights``: puyos in
    each column already. The columns are filled in turn up to 13 rows; full ones are skipped.
    """
    order, falls = tuple(order), [0] * 6
    left = min(count, 30)
    while left > 0 and any(heights[x - 1] + falls[x - 1] < 13 for x in order):
        for x in order:
            if left > 0 and heights[x - 1] + falls[x - 1] < 13:
                falls[x - 1] += 1
                left -= 1
    return tuple(falls)


def _links(board: Field) -> list[int]:
    """The low digit of each cell's byte in a settled field: its links to equal neighbours in the visible rows."""
    found = []
    cells = board.cells.tolist()
    for y in range(ROWS):
        for x in range(COLUMNS):
            code, links = cells[y][x], 0
            if y >= 2 and code not in (EMPTY, NUISANCE):
                for bit, (dx, dy) in LINKS.items():
                    u, v = x + dx, y + dy
                    if 0 <= u < COLUMNS and 2 <= v < ROWS and cells[v][u] == code:
                        links |= bit
            found.append(links)
    return found


def _placement(dice: random.Random, board: Field) -> tuple[Pair, PairState]:
    """A random pair, at a place where it stands on something."""
    cells = board.cells.tolist()
    while True:
        orientation = Orientation(dice.randrange(4))
        x, y = dice.randint(1, COLUMNS), dice.randint(1, 4)
        state = PairState(x, y, orientation)
        if 1 <= x + STEP[orientation][0] <= COLUMNS and fits(cells, state, None, RULES):
            state = dropped(cells, state, None, RULES)
            colors = [int(code) for code in board.cells.reshape(-1) if code not in (EMPTY, NUISANCE)] or [1]
            return Pair(dice.choice(colors), dice.choice([*colors, 1, 2, 3])), state


def _emptying(dice: random.Random) -> tuple[Field, Pair, PairState]:
    """A field, a pair, and the place where locking this pair empties the field."""
    color, x = dice.randint(1, 5), dice.randint(1, COLUMNS)
    rows = [[0] * COLUMNS for _ in range(ROWS)]
    rows[ROWS - 1][x - 1] = rows[ROWS - 2][x - 1] = color
    return (
        Field(bytes(code for row in rows for code in row)),
        Pair(color, color),
        PairState(x, ROWS - 3, Orientation.UP),
    )


def compare_locks(game: Cartridge, locks: int, seed: int) -> Compared:
    """Locks ``locks`` random pairs of seat 1 in random fields. A versus round must be at its first frame."""
    dice, result = random.Random(seed), Compared()
    began = game.console.save()
    for number in range(locks):
        game.console.load(began)
        board = random_field(dice)
        pair, at = _placement(dice, board)
        if dice.random() < 0.05:
            board, pair, at = _emptying(dice)
        waiting, target = dice.choice((0, 0, 1, 4, 7, 29, 30, 44, 200)), dice.choice((70, 70, 52, 17, 1))
        tray = Tray(waiting, dice.randrange(target), dice.random() < 0.3)
        score, state = dice.randrange(1_000_000), dice.randrange(1 << 32)
        game.put_field(0, board)
        game.put_pair(0, pair, at.x, at.y, at.orientation)
        game.set_seat(0, score=score, pending=waiting, points=tray.points, all_clear=int(tray.all_clear))
        game.set_seat(1, spawn_delay=250)
        game.set_game("target", target)
        game.write(RANDOM_STATE, 4, state)
        _compare(game, result, number, board, pair, at, tray, target, score, state)
    return result


def _compare(
    game: Cartridge,
    result: Compared,
    number: int,
    board: Field,
    pair: Pair,
    at: PairState,
    tray: Tray,
    target: int,
    score: int,
    state: int,
) -> None:
    done = lock_piece(board, pair, Placement(at.x, at.y, at.orientation), RULES)
    emptied = done.field.count() == 0
    chained = done.chain_score > 0
    made, points = (
        divmod(tray.points + done.chain_score + 2100 * tray.all_clear, target) if chained else (0, tray.points)
    )
    offset = min(made, tray.waiting)
    pending, sent = tray.waiting - offset, made - offset
    frames = max(1, 2 * done.drop) + 1 + sum(30 + 2 * (one.fall + 1) + 1 for one in done.steps)
    expected = done.field
    over = expected.cells[2, 2] != EMPTY
    falls = 0
    if pending and not over:
        draws = []
        for _ in range(6):
            state = step(state, 6, DRAW_STACK)
            draws.append((state & 0xFFFF) * 6 >> 16)
        heights = expected.heights()
        columns = _columns_of(pending, nuisance_order(draws), heights)
        falls = min(pending, 30)
        pending -= falls
        room = [ROWS - 1 - height for height in heights]
        frames += 2 * (max((free for free, count in zip(room, columns, strict=True) if count), default=0) + 1)
        cells = expected.cells.copy()
        for x, count in enumerate(columns):
            for y in range(room[x], room[x] - count, -1):
                cells[y, x] = NUISANCE
        expected = Field.from_cells(cells)
        over = cells[2, 2] != EMPTY
    game.lock_now(0)
    game.step()
    game.step()
    spawns, count = game.seat(0, "spawns"), 0
    locked = game.seat(0, "locks") == 1
    while game.seat(0, "spawns") == spawns and game.seat(0, "phase") != LOST and count < 3000:
        game.step()
        count += 1
    seen = {
        "locked": (locked, True),
        "field": (game.field(0), expected),
        "links": ([cell & 15 for cell in game.cells(0)], _links(done.field)),
        "score": (game.seat(0, "score"), score + done.chain_score),
        "gained": (game.seat(0, "gained"), done.chain_score),
        "chain": (game.seat(0, "chain"), len(done.steps)),
        "frames": (count, frames),
        "over": (game.seat(0, "phase") == LOST, bool(over)),
        "sent": (game.seat(0, "sent"), sent),
        "offset": (game.seat(0, "offset"), offset),
        "other's": (game.seat(1, "pending"), min(sent, 9999)),
        "pending": (game.seat(0, "pending"), pending),
        "fallen": (game.seat(0, "fallen"), falls),
        "points": (game.seat(0, "points"), points),
        "all clear": (game.seat(0, "all_clear"), int(emptied if chained else tray.all_clear)),
        "random": (game.read(RANDOM_STATE, 4), state),
        "cleared": (game.seat(0, "cleared"), sum(one.cleared for one in done.steps)),
        "spawning": (game.seat(0, "phase") == SPAWNING, not over),
    }
    result.different += [f"{number}: {what} {got} {due}" for what, (got, due) in seen.items() if got != due]
    result.locks += 1
    result.clears += chained
    result.longest = max(result.longest, len(done.steps))
    result.fallen += falls
    result.offset += offset
    result.all_clears += emptied and chained
    result.lost += bool(over)


PRESSES = {
    0: None,
    int(Button.LEFT): Action.LEFT,
    int(Button.RIGHT): Action.RIGHT,
    int(Button.A): Action.ROTATE_CW,
    int(Button.Y): Action.ROTATE_CW,
    int(Button.B): Action.ROTATE_CCW,
    int(Button.DOWN): Action.DOWN,
}
ROW_FRAMES, LOCK_FRAMES = 11, 28
"""At difficulty 5: in how many frames a pair falls one row, and after how many on the ground it locks."""


def _column_field(dice: random.Random) -> Field:
    """High columns left and right of a shaft, so that kicks and quick turns are needed."""
    rows = [[0] * COLUMNS for _ in range(ROWS)]
    for x in range(COLUMNS):
        for y in range(dice.randint(0, 9) if x == 2 else dice.choice((0, 4, 10, 11, 12, 13))):
            rows[ROWS - 1 - y][x] = NUISANCE
    return Field(bytes(code for row in rows for code in row))


def compare_moves(game: Cartridge, pairs: int, seed: int) -> list[str]:
    """Presses random buttons, and compares seat 1's pair in each frame with ``ochibot.puyo.rules.motion``.

    Returns what differed. A round at difficulty 5 must be at its first frame. Only Down may be held for several frames.
    """
    dice, different = random.Random(seed), []
    began = game.console.save()
    for number in range(pairs):
        game.console.load(began)
        board = _column_field(dice) if number % 2 else random_field(dice)
        cells = board.cells.tolist()
        game.put_field(0, board)
        game.set_seat(0, spawn_delay=1)
        game.step()
        state, drop, budget, soft, last = RULES.spawn, ROW_FRAMES, LOCK_FRAMES, 0, 0
        locked = False
        while not locked:
            pad = dice.choice(tuple(PRESSES))
            if pad == last and pad != Button.DOWN:
                pad = 0
            last, action = pad, PRESSES[pad]
            game.step(pad)
            if action is not None and action is not Action.DOWN:
                state = move(cells, state, action, None, RULES)
            if not fits(cells, state._replace(y=state.y + 1), None, RULES):
                budget -= 4 if action is Action.DOWN else 1
                locked = budget <= 0
            else:
                drop = min(drop, 2) if action is Action.DOWN else drop
                drop -= 1
                if drop == 0:
                    state, drop = state._replace(y=state.y + 1), ROW_FRAMES
                    soft += action is Action.DOWN
            seen = PairState(game.seat(0, "x"), game.seat(0, "y"), Orientation(game.seat(0, "orientation")))
            phase, rows = game.seat(0, "phase"), game.seat(0, "soft")
            if (seen, phase != CONTROL, rows) != (state, locked, soft):
                different.append(f"{number}: {seen} {phase} {rows}, not {state} {locked} {soft}")
                break
    return different
