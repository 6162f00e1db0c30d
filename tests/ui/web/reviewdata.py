"""A review made up for tests of its page: random placements, verdicts of every kind. No console, no search."""

from __future__ import annotations

import random
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from ochibot.falling.orientation import Orientation
from ochibot.falling.review import MARKS, Choice, Verdict
from ochibot.nyaa.notes import board_of as grid_of
from ochibot.nyaa.rules.file import load_rules as load_nyaa
from ochibot.puyo.notes import board_of
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.motion import resting_cells
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.locks import lock_positions
from ochibot.review.following import FollowedPlacement
from ochibot.review.judging import key_of, shipped
from ochibot.review.report import report

LOSSES = (0.0, 0.01, 0.03, 0.09, 0.4)
"""One of each grade."""
_ABOUT = {"game": "made up", "effort": "quick", "boards": 1000}


class _Board:
    """What ``report`` asks of a reviewer."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.board = board
        self.hidden = int(board["hidden"])

    def drawn(self, snapshot: Any) -> list[str]:
        return str(snapshot.field).split("\n")

    def prepare(self) -> None:
        pass

    def judge(self, snapshot: Any, placement: Any) -> None:
        pass


def made_review(seats: int = 1, pieces: int = 12, rules: str = "tsu", seed: int = 5) -> dict[str, Any]:
    """A game of one player, or a match of two. The caller may change it."""
    return deepcopy(_made_review(seats, pieces, rules, seed))


@cache
def _made_review(seats: int, pieces: int, rules: str, seed: int) -> dict[str, Any]:
    profile = load_rules(rules)
    played, verdicts = [], {}
    for seat in range(1, seats + 1):
        for one, verdict in _game(profile, seat, pieces, random.Random(seed * 10 + seat), match=seats > 1):
            played.append(one)
            verdicts[key_of(one)] = verdict
    played.sort(key=lambda one: one.frame)
    about = {
        **_ABOUT,
        "family": "puyo",
        "rules": rules,
        "source": {"name": "made-up", "kind": "record", "frames": 100 * pieces},
    }
    losers = [(100 * pieces, 2)] if seats > 1 else []
    return report(about, played, verdicts, _Board(board_of(profile)), shipped(), losers)


def _game(
    rules: Rules, seat: int, pieces: int, chance: random.Random, match: bool
) -> list[tuple[FollowedPlacement, Verdict | None]]:
    found: list[tuple[FollowedPlacement, Verdict | None]] = []
    field = Field.empty()
    pairs = [Pair(chance.randint(1, 4), chance.randint(1, 4)) for _ in range(pieces + 2)]
    for number in range(1, pieces + 1):
        snapshot = Snapshot(field, pairs[number - 1], pairs[number], 0, rules.spawn, foreseen=(pairs[number + 1],))
        wanted = chance.sample(lock_positions(field, snapshot.pair, rules), 4)
        lost = LOSSES[number % len(LOSSES)]
        verdict = _verdict(snapshot, wanted, lost, rules, number, match)
        mine = wanted[3] if lost else wanted[0]
        frame = 60 * number + 20 * seat
        found.append((FollowedPlacement(seat, 1, number, snapshot, mine, frame, frame + 40, 4, 3, 40, 31), verdict))
        after = place(field, snapshot.pair, mine, rules)
        field = Field.empty() if after.game_over else after.field
    # a piece that couldn't be judged
    found[-1] = (found[-1][0], None)
    return found


def _verdict(
    snapshot: Snapshot, wanted: list[Placement], lost: float, rules: Rules, number: int, match: bool
) -> Verdict:
    values = [50.0, 49.0, 47.0, 50.0 * (1 - lost)]
    choices = [
        _choice(snapshot, one, value, rules, 0.6 - lost / 2 if match else None)
        for one, value in zip(wanted, values, strict=True)
    ]
    shown = tuple(choices[:3])
    marks = (MARKS[number % len(MARKS)],) if lost > 0.05 else ()
    played = choices[3] if lost else shown[0]
    if not match:
        return Verdict(shown, played, lost, lost, lost, marks=marks)
    return Verdict(shown, played, lost, lost, lost, chance=0.5, chance_lost=lost / 10, marks=marks)


def _choice(snapshot: Snapshot, where: Placement, value: float, rules: Rules, chance: float | None) -> Choice:
    after = place(snapshot.field, snapshot.pair, where, rules)
    then = next(iter(lock_positions(after.field, snapshot.next_pair, rules)), None)
    return Choice(
        {"x": where.x, "orientation": where.orientation.word},
        _cells(snapshot.field, snapshot.pair, where),
        after.chain,
        after.score,
        value,
        int(value**2),
        4,
        () if then is None else _cells(after.field, snapshot.next_pair, then),
        str(after.field).replace("\n", "/"),
        after.game_over,
        chance,
    )


def _cells(field: Field, pair: Pair, where: Placement) -> tuple[tuple[int, int, int], ...]:
    return tuple(sorted((x - 1, y, code) for x, y, code in resting_cells(field, pair, where)))


def made_nyaa_review() -> dict[str, Any]:
    """A game of Pochi & Nyaa of two pieces; the second is a mistake."""
    rules = load_nyaa("nyaa_mvs")
    empty = "......."
    rest = {"steps": 0, "towards": 3, "towards_steps": 0, "then": [], "over": False, "chance": None, "sent": 0}

    def choice(x: int, needle: bool, made: int, cells: list[list[int]], *after: str) -> dict[str, Any]:
        where = {"x": x, "orientation": Orientation.UP.word, "needle": needle}
        field = "/".join([*[empty] * (12 - len(after)), *after])
        return {**rest, "place": where, "made": made, "value": 20.0 + made, "cells": cells, "after": field}

    fired = choice(3, True, 3, [[2, 8, 7], [2, 9, 6]], "...gb..")
    built = choice(5, False, 0, [[4, 9, 2], [4, 10, 1]], "....g..", "..r.r..", ".rrgb..")
    beside = choice(6, False, 0, [[5, 10, 2], [5, 11, 1]], "..r..g.", ".rrgbr.")
    move = {
        "seat": 1,
        "round": 1,
        "frame": 100,
        "seconds": 1.7,
        "field": [*[empty] * 10, "..r....", ".rrgb.."],
        "pair": "rg",
        "next": ["bb"],
        "score": 0,
        "waiting": 0,
        "presses": 2,
        "needed": 2,
        "frames": 30,
        "least": 30,
        "accuracy": 40.0,
        "lost": 0.15,
        "measured": 0.15,
        "points_lost": 0,
        "chance": None,
        "chance_lost": 0.0,
        "now": {"points": 3, "steps": 0},
        "marks": ["missed"],
        "played": built,
        "choices": [fired, beside],
    }
    moves = [
        {**move, "number": 1, "grade": "best", "played": fired, "played_rank": 0, "marks": [], "lost": 0.0},
        {**move, "number": 2, "frame": 200, "seconds": 3.3, "grade": "mistake", "played_rank": None},
    ]
    return {
        **_ABOUT,
        "format": "ochibot review",
        "version": 1,
        "family": "nyaa",
        "rules": "nyaa_mvs",
        "source": {"name": "made-up-nyaa", "kind": "record", "frames": 300},
        "hidden": 0,
        "board": grid_of(rules),
        "seats": [
            {
                "seat": 1,
                "pieces": 2,
                "judged": 2,
                "accuracy": 70.0,
                "grades": {"best": 1, "good": 0, "inaccuracy": 0, "mistake": 1, "blunder": 0},
                "marks": {"missed": 1},
                "chains": [{"number": 1, "round": 1, "steps": 0, "made": 3}],
                "extra_presses": 0,
                "frames_wasted": 0,
                "frames_a_piece": 30.0,
            }
        ],
        "rounds": [],
        "unread": 0,
        "moments": [1],
        "moves": moves,
    }
