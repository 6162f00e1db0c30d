"""Naive versions of the falling pair, the lock, the exchange of attacks and the search, for any values of the rules.

Only ignitions are computed elsewhere (tests/nyaa/reference.py, naive too). Nothing of ochibot.nyaa is used.

A *drawing* is a list of 12 strings, the top row first, with the letters of ``Grid``. A ``Place`` says where a pair is.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tests.nyaa import reference as ignition

Drawing = list[str]
Place = tuple[int, int, int]
"""The axis's x from 1 and y from the top (0 hidden); where the partner is: 0 below, 1 left, 2 above, 3 right."""


class House(NamedTuple):
    """The rules that a game is played by; those of the arcade version by default.

    middle: the column where pairs appear. over: a row, counted from the floor. The game ends when the cell in this row
    of the middle column is filled. The other fields are the entries of a rules file with similar names.
    """

    each: int = 1
    offset: bool = True
    most_pending: int = 255
    most_per_fall: int = 21
    vanish: bool = False
    nuisance_pops: bool = True
    middle: int = 4
    over: int = 12


ARCADE: Final = House()

AROUND = {0: (0, 1), 1: (-1, 0), 2: (0, -1), 3: (1, 0)}
SPAWN = (4, 1, 2)
ORDER = [
    (abs(x - 4) + (0, 1, 2)[min((o - 2) % 4, (2 - o) % 4)] + needle, x, o, needle)
    for x in range(1, 8)
    for o in range(4)
    for needle in (0, 1)
    if 1 <= x + AROUND[o][0] <= 7
]
LOCKS = [(x, o, bool(needle)) for _, x, o, needle in sorted(ORDER)]


def cells(place: Place) -> list[tuple[int, int]]:
    x, y, o = place
    return [(x, y), (x + AROUND[o][0], y + AROUND[o][1])]


def free(drawing: Drawing, place: Place) -> bool:
    return all(1 <= x <= 7 and 0 <= y <= 12 and (y == 0 or drawing[y - 1][x - 1] == ".") for x, y in cells(place))


def pressed(drawing: Drawing, place: Place) -> list[Place]:
    """Where each press leads from ``place``: left, right, both rotations, down. It is ``place`` if nothing happens."""
    x, y, o = place
    ways = [[(x - 1, y, o)], [(x + 1, y, o)]]
    for turned in ((o + 1) % 4, (o + 3) % 4):
        dx, dy = AROUND[turned]
        ways.append([(x, y, turned), (x - dx, y - dy, turned)])
    ways.append([(x, y + 1, o)])
    return [next((to for to in way if free(drawing, to)), place) for way in ways]


def reached(drawing: Drawing, start: Place) -> dict[Place, int]:
    """Every place that the pair can reach, with the fewest presses, found by relaxation until nothing changes."""
    if not free(drawing, start):
        return {}
    found = {start: 0}
    changed = True
    while changed:
        changed = False
        for place, presses in list(found.items()):
            for to in pressed(drawing, place):
                if presses + 1 < found.get(to, 1000):
                    found[to] = presses + 1
                    changed = True
    return found


def locks(drawing: Drawing, start: Place) -> dict[Place, int]:
    """Every place where the pair can come to rest, with the fewest presses; the final drop isn't counted."""
    found: dict[Place, int] = {}
    for (x, y, o), presses in reached(drawing, start).items():
        while free(drawing, (x, y + 1, o)):
            y += 1
        found[x, y, o] = min(presses, found.get((x, y, o), 1000))
    return found


def height(drawing: Drawing, x: int) -> int:
    return sum(row[x - 1] != "." for row in drawing)


def add(drawing: Drawing, x: int, letter: str) -> Drawing:
    """Drops a block into a column; on a full column it is lost."""
    y = 11 - height(drawing, x)
    return drawing if y < 0 else [*drawing[:y], drawing[y][: x - 1] + letter + drawing[y][x:], *drawing[y + 1 :]]


def fallen(drawing: Drawing) -> Drawing:
    columns = ["".join(c for c in column if c != ".").rjust(12, ".") for column in zip(*drawing, strict=True)]
    return ["".join(row) for row in zip(*columns, strict=True)]


@cache
def burnt(text: str, house: House) -> tuple[int, int, bool, str]:
    """(attack, most tails of one start, whether anything was lit, what is left) after a drawing's needles ignite."""
    result = next(iter(ignition.mvs(text, 1)))
    step, starts = ignition.distances(text)
    blocks, needles = ignition.read(text)
    rows = [list(row) for row in text.split()]
    for r, c in step:
        rows[r][c] = "."
    for (r, c), color in needles.items():
        lit = any(blocks.get(place) == color for place in ignition.neighbours((r, c)))
        rows[r][c] = "." if lit or house.vanish else color
    for r in range(12):
        for c in range(7):
            if (
                rows[r][c] == "o"
                and house.nuisance_pops
                and any(place in step for place in ignition.neighbours((r, c)))
            ):
                rows[r][c] = "."
    after = fallen(["".join(row) for row in rows])
    return result.attack, result.t, bool(starts), "\n".join(after)


def lock(drawing: Drawing, pair: str, x: int, o: int, needle: bool, house: House = ARCADE) -> tuple[Drawing, int, bool]:
    """(what is left, attack, whether anything was lit) after a pair of two letters has locked in a column."""
    halves = [(x, pair[0]), (x + AROUND[o][0], pair[1])]
    for column, letter in halves[::-1] if o == 0 else halves:
        drawing = add(drawing, column, letter.upper() if needle else letter)
    attack, _, lit, text = burnt("\n".join(drawing), house)
    return text.split(), attack, lit


def over(drawing: Drawing, house: House = ARCADE) -> bool:
    return drawing[12 - house.over][house.middle - 1] != "."


def rain(drawing: Drawing, count: int, order: list[int]) -> Drawing:
    """Drops nuisance: full rows first, and the rest into the first columns of ``order``."""
    for _ in range(count // 7):
        for x in range(1, 8):
            drawing = add(drawing, x, "o")
    for x in order[: count % 7]:
        drawing = add(drawing, x, "o")
    return drawing


def group_of(drawing: Drawing, place: tuple[int, int]) -> set[tuple[int, int]]:
    r, c = place
    found, waiting = {place}, [place]
    while waiting:
        for n, m in ignition.neighbours(waiting.pop()):
            if 0 <= n < 12 and 0 <= m < 7 and (n, m) not in found and drawing[n][m] == drawing[r][c]:
                found.add((n, m))
                waiting.append((n, m))
    return found


def landing(drawing: Drawing, house: House) -> list[tuple[int, int]]:
    """(row, column) of the landing cells: on top of each column, unless it or one between it and the spawn is full."""
    tops = [height(drawing, x) for x in range(1, 8)]
    spawn = house.middle - 1
    return [
        (11 - tops[c], c)
        for c in range(7)
        if all(tops[between] < 12 for between in range(min(c, spawn), max(c, spawn) + 1))
    ]


def ignitions(drawing: Drawing, house: House) -> dict[str, tuple[int, int]]:
    """For each colour: the highest (attack, most tails of one start) of a needle on any landing cell."""
    best = dict.fromkeys("rgby", (0, 0))
    for r, c in landing(drawing, house):
        beside = {drawing[n][m] for n, m in ignition.neighbours((r, c)) if 0 <= n < 12 and 0 <= m < 7}
        for color in beside & set("rgby"):
            rows = [*drawing[:r], drawing[r][:c] + color.upper() + drawing[r][c + 1 :], *drawing[r + 1 :]]
            attack, t, _, _ = burnt("\n".join(rows), house)
            best[color] = max(best[color], (attack, t))
    return best


def share(d: int, room: int) -> int:
    d = min(max(d, 0), room)
    return 100 * d * d // (room * room)


def metrics(
    drawing: Drawing,
    attack: int,
    sent: int,
    early: int,
    pending: int,
    ready: str,
    there: tuple[int, int],
    waiting: int,
    house: House,
) -> list[int]:
    """The metrics of a leaf, as ``ochibot.nyaa.search.metrics`` defines them.

    there: the other side's room and best ignition. waiting: the nuisance that waits there.
    """
    values = ignitions(drawing, house)
    ranked = sorted((value for value, _ in values.values()), reverse=True)
    best = ranked[0]
    room = max(7 * (house.over - height(drawing, house.middle)), 1)
    room_there, theirs = there
    coming = min(waiting + sent, house.most_pending)
    filled = {(r, c) for r in range(12) for c in range(7) if drawing[r][c] in "rgby"}
    groups, left = [], set(filled)
    while left:
        groups.append(group_of(drawing, left.pop()))
        left -= groups[-1]
    beside = [
        sum(any(n in group for n in ignition.neighbours(cell)) for cell in landing(drawing, house)) for group in groups
    ]
    tops = [height(drawing, x) for x in range(1, 8)]
    white = [(r, c) for r in range(12) for c in range(7) if drawing[r][c] == "o"]
    return [
        attack,
        sent,
        early,
        share(coming, room_there),
        share(coming - (theirs * house.each if house.offset else 0), room_there),
        best,
        ranked[1],
        ranked[2] + ranked[3],
        max(values[color][0] for color in ready),
        share(min(coming + best * house.each, house.most_pending), room_there),
        max(t for value, t in values.values() if value == best) if best else 0,
        sum(len(group) ** 2 for group in groups),
        sum(len(group) * places for group, places in zip(groups, beside, strict=True)),
        sum(len(group) for group, places in zip(groups, beside, strict=True) if not places),
        sum(top * top for top in tops),
        2 * tops[house.middle - 1] ** 2
        + sum(tops[x - 1] ** 2 for x in (house.middle - 1, house.middle + 1) if 1 <= x <= 7),
        len(white),
        pending,
        share(pending, room),
        share(pending + theirs * house.each - (best * house.each if house.offset else 0), room),
        sum(all(n not in filled for n in ignition.neighbours(place)) for place in white),
    ]


def tries(
    drawing: Drawing, pair: str, start: Place, pending: int, house: House
) -> list[tuple[int, Drawing, int, int, int, bool]]:
    """For each possible lock: (its number in LOCKS, what is left, attack, sent, still waiting, over)."""
    found = []
    open_places = {(x, o) for x, _, o in locks(drawing, start)}
    taken = set()
    for number, (x, o, needle) in enumerate(LOCKS):
        if (x, o) not in open_places:
            continue
        columns = (tuple(sorted({x, x + AROUND[o][0]})), needle)
        if pair[0] == pair[1] and columns in taken:
            continue
        taken.add(columns)
        after, attack, lit = lock(drawing, pair, x, o, needle, house)
        if needle and not lit and not house.vanish:
            continue
        against = min(attack * house.each, pending) if house.offset else 0
        waits = pending - against
        lost = over(after, house)
        if not lost and not lit and waits:
            falling = min(waits, house.most_per_fall)
            middle_first = sorted(range(1, 8), key=lambda x: (abs(x - house.middle), x))
            after, waits = rain(after, falling, middle_first), waits - falling
            lost = over(after, house)
        found.append((number, after, attack, attack * house.each - against, waits, lost))
    return found


def search(
    drawing: Drawing,
    pairs: tuple[str, str, str],
    start: Place,
    pending: int,
    there: Drawing,
    waiting: int,
    factors: list[float],
    plies: int,
    ranks: list[int],
    house: House = ARCADE,
) -> tuple[int, float, int]:
    """Tries every lock of each ply. Returns the best first lock's number, its value and the number of leaves."""

    theirs = max(value for value, _ in ignitions(there, house).values())
    seen_there = max(7 * (house.over - height(there, house.middle)), 1), theirs
    spawn = (house.middle, *SPAWN[1:])

    def value(metric: list[int]) -> float:
        total = 0.0
        for number, factor in zip(metric, factors, strict=True):
            total += number * factor
        return total

    results = []
    leaves = 0
    for number, after, attack, sent, waits, lost in tries(drawing, pairs[0], start, pending, house):
        if lost or plies == 1:
            leaves += 1
            seen = (
                [] if lost else [value(metrics(after, attack, sent, sent, waits, pairs[1], seen_there, waiting, house))]
            )
            results.append((max(seen, default=-2e9), -ranks[number], number))
            continue
        seen = []
        for _, leaf, more, gone, left, over_there in tries(after, pairs[1], spawn, waits, house):
            leaves += 1
            measured = (
                []
                if over_there
                else [
                    value(metrics(leaf, attack + more, sent + gone, sent, left, pairs[2], seen_there, waiting, house))
                ]
            )
            seen.append(max(measured, default=-1e9))
        results.append((max(seen), -ranks[number], number))
    best = max(results)
    return best[2], best[0], leaves


def beam(
    drawing: Drawing,
    pairs: list[str],
    start: Place,
    pending: int,
    there: Drawing,
    waiting: int,
    factors: list[float],
    width: int,
    finalists: int,
    ranks: list[int],
    house: House = ARCADE,
) -> tuple[int, float]:
    """Searches with a beam over the pairs, then tries the best ``finalists`` boards with all ten pairs.

    Returns the best first lock's number and its value. pairs: at most the first three are locked. Of a fourth, only
    the colours are used (by the metric ``ready``).
    """
    theirs = max(value for value, _ in ignitions(there, house).values())
    room = max(7 * (house.over - height(there, house.middle)), 1), theirs
    spawn = (house.middle, *SPAWN[1:])

    def value(leaf: Drawing, way: tuple[int, int, int, int], ready: str) -> float:
        attack, sent, early, left = way
        total = 0.0
        measured = metrics(leaf, attack, sent, early, left, ready, room, waiting, house)
        for number, factor in zip(measured, factors, strict=True):
            total += number * factor
        return total

    # boards as (first lock, drawing, (attack, sent, sent by the first lock, still waiting), value)
    layer: list[tuple[int, Drawing, tuple[int, int, int, int], float]] = [(-1, drawing, (0, 0, 0, pending), 0.0)]
    for depth, pair in enumerate(pairs[:3]):
        ready = pairs[depth + 1] if depth + 1 < len(pairs) else "rgby"
        found: dict[tuple[str, tuple[int, int, int, int]], int] = {}
        for root, board, (attack, sent, early, left), _ in layer[:width]:
            for number, leaf, more, gone, waits, lost in tries(
                board, pair, start if depth == 0 else spawn, left, house
            ):
                if lost:
                    continue
                first = number if depth == 0 else root
                key = "\n".join(leaf), (attack + more, sent + gone, gone if depth == 0 else early, waits)
                found[key] = min(first, found.get(key, first), key=lambda lock: ranks[lock])
        if not found:
            return layer[0][0], -1e9
        layer = [(root, text.split(), way, value(text.split(), way, ready)) for (text, way), root in found.items()]
        layer.sort(key=lambda one: (-one[3], ranks[one[0]]))
    if finalists:
        layer = layer[:finalists]
        for number, (root, board, (attack, sent, early, left), _) in enumerate(layer):
            total = 0.0
            for a in range(4):
                for b in range(a, 4):
                    worths = [
                        -1e9 if lost else value(leaf, (attack + more, sent + gone, early, waits), "rgby")
                        for _, leaf, more, gone, waits, lost in tries(board, "rgby"[a] + "rgby"[b], spawn, left, house)
                    ]
                    total += max(worths, default=-1e9) * (1 if a == b else 2)
            layer[number] = root, board, (attack, sent, early, left), total / 16
        layer.sort(key=lambda one: (-one[3], ranks[one[0]]))
    return layer[0][0], layer[0][3]
