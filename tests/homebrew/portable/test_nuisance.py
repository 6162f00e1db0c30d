"""Kodama of two seats, compiled for this machine, beside ``ochibot.puyo``: what is dealt, sent, cancelled and falls."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ochibot.puyo.forecast import is_covered
from ochibot.puyo.rules.field import COLUMNS, EMPTY, NUISANCE, ROWS, Field
from ochibot.puyo.rules.motion import dropped
from ochibot.puyo.rules.nuisance import Tray
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.resolve import place

from tests.homebrew.portable.compiled import (
    CLEAR,
    COMPILER,
    LOST,
    RULES,
    SETTLE,
    SPAWN,
    Rules,
    random_field,
    random_state,
)

LATE = {70: 0, 52: 5760, 17: 8640, 1: 16320}
"""A frame of a round at which so many points make one nuisance puyo."""

pytestmark = pytest.mark.skipif(COMPILER is None, reason="not installed: a C compiler (gcc)")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return Rules(tmp_path_factory.mktemp("portable"), seats=2)


def with_some_nuisance(dice: random.Random, field: Field) -> Field:
    """The field with some of its puyos exchanged for nuisance."""
    cells, share = field.cells.copy(), dice.choice((0, 0.1, 0.4))
    for y in range(ROWS):
        for x in range(COLUMNS):
            if cells[y, x] != EMPTY and dice.random() < share:
                cells[y, x] = NUISANCE
    return Field.from_cells(cells)


def begin(rules: Rules, seed: int) -> None:
    """Both seats at the beginning of a round."""
    rules.game.players = 2
    rules.library.margin_begin()
    rules.begin(seed)
    rules.second.random = seed
    rules.game.noise = seed | 1
    rules.library.round_begin2()


def test_chains_send_and_nuisance_falls_as_the_rules_say(rules: Rules) -> None:
    dice, seen = random.Random(4), Counter[str]()
    for number in range(1500):
        begin(rules, dice.randint(1, 65535))
        field = with_some_nuisance(dice, random_field(dice))
        pair = Pair(dice.randint(1, 4), dice.randint(1, 4))
        state = dropped(field.cells.tolist(), random_state(dice, field), None, RULES)
        if number % 20 == 0:
            rows = [[0] * COLUMNS for _ in range(ROWS)]
            rows[ROWS - 1][1] = rows[ROWS - 2][1] = 3
            field, pair = Field(bytes(code for row in rows for code in row)), Pair(3, 3)
            state = dropped(field.cells.tolist(), RULES.spawn._replace(x=2), None, RULES)
        target = dice.choice(tuple(LATE))
        before = Tray(dice.choice((0, 0, 1, 7, 30, 44, 200)), dice.randrange(target), dice.random() < 0.3)
        rules.put(field)
        rules.hold(pair, state)
        game, second = rules.game, rules.second
        game.lock_budget, game.target, second.pending = 1, target, 9990 if number % 50 == 0 else 0
        game.pending, game.points, game.all_clear = before.waiting, before.points, before.all_clear
        due = second.pending
        rules.frame()
        frames = 0
        while game.phase in (SETTLE, CLEAR):
            rules.frame()
            frames += 1
            assert frames < 3000
        outcome = place(field, pair, Placement(*state), RULES)
        emptied = outcome.field.count() == 0
        tray, sent = before.after_chain(outcome.score, emptied, RULES, LATE[target], most=50_000)
        falls = 0
        if outcome.field.cells[2, 2] == EMPTY:
            tray, falls = tray.fall(RULES)
        assert (game.pending, game.points, game.all_clear) == (tray.waiting, tray.points, tray.all_clear)
        assert (second.pending, game.sent_in_all) == (min(due + sent, 9999), sent)
        assert (rules.score(), game.chain, game.fallen) == (outcome.score, outcome.chain, falls)
        after = rules.field()
        assert is_covered(outcome.field, after, falls, RULES)
        assert (game.phase == LOST) == (after.cells[2, 2] != EMPTY)
        seen["sent"] += sent > 0
        seen["cancelled"] += before.waiting > 0 and outcome.chain > 0
        seen["fell"] += falls > 0
        seen["emptied"] += emptied
        seen["lost"] += game.phase == LOST
        seen["lay there"] += int((field.cells == NUISANCE).sum()) > int((outcome.field.cells == NUISANCE).sum())
    assert min(seen[name] for name in ("sent", "cancelled", "fell", "emptied", "lost", "lay there")) > 20, seen


def test_both_seats_get_the_same_pairs(rules: Rules) -> None:
    begin(rules, 4321)
    dealt: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for game, pairs, frame, often in (
        (rules.second, dealt[1], rules.library.round_frame2, 40),
        (rules.game, dealt[0], rules.library.round_frame, 60),
    ):
        for _ in range(often):
            pairs.append((game.axis, game.partner))
            game.field[8:112] = [8, 0, 0, 0, 0, 0, 0, 8] * 13
            game.phase, game.lock_budget, game.y, game.x, game.orientation = 2, 1, 13, 1, 2
            # nuisance draws numbers of its own
            game.pending = 3
            while game.phase != SPAWN:
                rules.searched.value = 0
                frame()
    assert dealt[0][:40] == dealt[1]
    assert len(set(dealt[1])) > 8


def test_only_one_seat_looks_for_groups_in_a_frame(rules: Rules) -> None:
    """When both did, a Master System lost a frame."""
    begin(rules, 9)
    for game in (rules.game, rules.second):
        game.phase, game.lock_budget, game.y, game.x, game.orientation = 2, 1, 13, 1, 2
    ended = [0, 0]
    for frame in range(1, 9):
        rules.searched.value = 0
        rules.library.round_frame()
        rules.library.round_frame2()
        for seat, game in enumerate((rules.game, rules.second)):
            ended[seat] = ended[seat] or (frame if game.phase == SPAWN else 0)
    assert ended[1] == ended[0] + 1


def test_nuisance_has_no_favourite_column(rules: Rules) -> None:
    seen = Counter[int]()
    begin(rules, 77)
    for _ in range(1200):
        game = rules.game
        rules.put(Field.empty())
        game.pending, game.fallen, game.chain = 1, 0, 0
        assert rules.library.nuisance_falls()
        while rules.library.rain_row():
            pass
        seen[rules.field().cells[13].tolist().index(NUISANCE)] += 1
    assert sorted(seen) == list(range(COLUMNS))
    assert all(abs(n - 200) < 60 for n in seen.values())


def test_margin_time_makes_nuisance_cheaper(rules: Rules) -> None:
    begin(rules, 5)
    for frame in range(1, 18_000):
        rules.library.margin_frame()
        assert rules.game.target == RULES.nuisance.points_at(frame)


def test_alone_nothing_is_sent(rules: Rules) -> None:
    begin(rules, 6)
    rules.game.players = 1
    rules.game.chain, rules.game.gained, rules.game.pending = 3, 5000, 4
    assert not rules.library.nuisance_falls()
    assert (rules.second.pending, rules.game.pending) == (0, 4)
