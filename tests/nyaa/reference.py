"""A naive implementation of ignitions, written from the specification by another method and without ochibot.nyaa.

It simulates no waves. Every cell's distance to its nearest start is relaxed until nothing changes. Then each cell gets
its parents: on the PS2 one neighbour that is one step nearer, above or below if possible; on MVS all such neighbours
that belong to the same start. A tail is a cell that is no cell's parent; its value is the number of its ancestors in
that graph, itself included. A tie is a cell with two candidates: every way to settle all ties is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Place = tuple[int, int]
"""(row from the top, column), both from 0, so that sorting is reading order."""


@dataclass(frozen=True)
class Result:
    """The numbers of one outcome. s0: the sum of the tails' values above 1. s1: the sum of all tails' values. t: the
    most tails of one start. tails: sorted (value, number of the start). ties: how many cells had a tie.
    """

    attack: int
    s0: int
    s1: int
    t: int
    tails: tuple[tuple[int, int], ...]
    ties: int


def read(text: str) -> tuple[dict[Place, str], dict[Place, str]]:
    """(blocks, needles) of a drawing, letters in lower case; nuisance is left out."""
    rows = text.split()
    cells = {(12 - len(rows) + r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row)}
    blocks = {place: letter for place, letter in cells.items() if letter in "rgby"}
    return blocks, {place: letter.lower() for place, letter in cells.items() if letter in "RGBY"}


def neighbours(place: Place) -> list[Place]:
    row, column = place
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def upright(a: Place, b: Place) -> bool:
    return a[1] == b[1]


def distances(text: str) -> tuple[dict[Place, int], list[Place]]:
    """(the step in which each cell that burns does so, from 1; the starts in reading order)."""
    blocks, needles = read(text)
    starts = sorted(p for p, color in blocks.items() if any(needles.get(n) == color for n in neighbours(p)))
    step = dict.fromkeys(starts, 1)
    changed = True
    while changed:
        changed = False
        for place, color in blocks.items():
            near = [step[n] + 1 for n in neighbours(place) if n in step and blocks[n] == color]
            if near and min(near) < step.get(place, 1000):
                step[place] = min(near)
                changed = True
    return step, starts


def graph(text: str) -> tuple[dict[Place, int], list[Place], dict[Place, list[Place]]]:
    """(steps, starts, for each cell the neighbours of its colour that are one step nearer to a start)."""
    step, starts = distances(text)
    blocks, _ = read(text)
    nearer = {
        p: [n for n in neighbours(p) if n in step and step[n] == step[p] - 1 and blocks[n] == blocks[p]] for p in step
    }
    return step, starts, nearer


def ps2(text: str, most: int) -> Iterator[Result]:
    """Yields all outcomes on the PS2, at most ``most``. The first is the tie rule's."""
    step, starts, nearer = graph(text)
    number = {start: i for i, start in enumerate(starts, 1)}
    choices: list[tuple[Place, list[Place]]] = []
    for place in sorted(step, key=lambda p: (step[p], p)):
        if nearer[place]:
            strong = [n for n in nearer[place] if upright(n, place)] or nearer[place]
            choices.append((place, sorted(strong)))
    ties = [place for place, strong in choices if len(strong) > 1]
    for bits in range(min(2 ** len(ties), most)):
        parent = {place: strong[0] for place, strong in choices}
        for i, place in enumerate(ties):
            parent[place] = dict(choices)[place][bits >> i & 1]
        leaves = [place for place in step if place not in parent.values()]

        def root(place: Place, parent: dict[Place, Place] = parent) -> int:
            while place in parent:
                place = parent[place]
            return number[place]

        tails = tuple(sorted((step[leaf], root(leaf)) for leaf in leaves))
        values = [value for value, _ in tails]
        total = sum(values)
        yield Result(0 if total == 1 else total, *sums(values), most_tails(tails), tails, len(ties))


def mvs(text: str, most: int) -> Iterator[Result]:
    """Yields all outcomes on MVS, at most ``most``. The first is the tie rule's."""
    step, starts, nearer = graph(text)
    order = sorted(step, key=lambda p: (step[p], p))
    for i, owner in enumerate(owners(order, nearer, {s: n for n, s in enumerate(starts, 1)}, 0)):
        if i == most:
            return
        taken = dict(owner)  # ``owners`` changes this dict for the next outcome
        parents = {p: [n for n in nearer[p] if taken[n] == taken[p]] for p in step}
        leaves = [p for p in step if not any(p in group for group in parents.values())]
        tails = tuple(sorted((len(ancestors(leaf, parents)), taken[leaf]) for leaf in leaves))
        s0, s1 = sums([value for value, _ in tails])
        t = most_tails(tails)
        ties = sum(len(rivals(p, nearer, taken)) > 1 for p in order)
        yield Result((100 * s0 + 4 * t * s1) // 100, s0, s1, t, tails, ties)


def rivals(place: Place, nearer: dict[Place, list[Place]], owner: dict[Place, int]) -> list[int]:
    """The starts that can own a cell on MVS: the owners of its nearer neighbours above and below. If it has none, those
    of its nearer neighbours to the left and right.
    """
    strong = [n for n in nearer[place] if upright(n, place)] or nearer[place]
    return sorted({owner[n] for n in strong})


def owners(
    order: list[Place], nearer: dict[Place, list[Place]], owner: dict[Place, int], at: int
) -> Iterator[dict[Place, int]]:
    """Yields every way to give the cells of ``order`` from the index ``at`` on to starts. It changes ``owner``."""
    if at == len(order):
        yield owner
        return
    place = order[at]
    for number in rivals(place, nearer, owner) if nearer[place] else [owner[place]]:
        owner[place] = number
        yield from owners(order, nearer, owner, at + 1)


def ancestors(place: Place, parents: dict[Place, list[Place]]) -> set[Place]:
    """The cell, its parents, theirs, and so on."""
    found = {place}
    waiting = [place]
    while waiting:
        more = [p for p in parents[waiting.pop()] if p not in found]
        found.update(more)
        waiting += more
    return found


def sums(values: list[int]) -> tuple[int, int]:
    return sum(value for value in values if value > 1), sum(values)


def most_tails(tails: tuple[tuple[int, int], ...]) -> int:
    numbers = [number for _, number in tails]
    return max((numbers.count(number) for number in numbers), default=0)
