"""The strangers of the kind family keep to what a rules file of Ochibot's says: motion, landing, chains, points."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
import yaml
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import COLUMNS, ROWS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.motion import move
from ochibot.puyo.rules.pair import Action, Pair, PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place, resolve

from tests.strangers import naive
from tests.strangers.maker import Spec, Stranger, Truth, draw
from tests.strangers.maker.formula import FORMULAS
from tests.strangers.maker.player import Landed, Player
from tests.strangers.maker.profile import family_rules, family_spawn
from tests.strangers.maker.rules import Cleared, make_rules

SIDES = (Orientation.UP, Orientation.RIGHT, Orientation.DOWN, Orientation.LEFT)


def rules_of(spec: Spec, folder: Path) -> Rules:
    file = folder / "rules.yaml"
    file.write_text(yaml.safe_dump(family_rules(spec)))
    return load_rules(file)


def field_of(spec: Spec, cells: tuple[int, ...]) -> Field:
    whole = np.zeros((ROWS, COLUMNS), np.uint8)
    whole[ROWS - spec.height :] = np.array(cells, np.uint8).reshape(spec.height, spec.width) & 15
    return Field.from_cells(whole)


@pytest.mark.parametrize("seed", range(10))
def test_a_family_game_keeps_to_its_rules_file(seed: int, tmp_path: Path) -> None:
    spec = draw(seed, "formulas" if seed % 2 else "family")
    rules = rules_of(spec, tmp_path)
    up = ROWS - spec.height
    checked = []

    def settled(landed: Landed, truth: Truth) -> None:
        column, row, turn = landed.place
        where = Placement(column + 1, row + up, SIDES[turn])
        after = place(field_of(spec, landed.before), Pair(*landed.kind), where, rules)
        assert after.field == field_of(spec, tuple(truth.cells()))
        gained = truth.score - landed.score - after.score
        if truth.score < rules.score_cap:
            assert 0 <= gained <= spec.drop_points * 2 * spec.height
        checked.append(after.chain)

    Player(Stranger(spec), settled).play(8)
    assert len(checked) == 8


def test_formulas_pay_what_their_rules_files_say(tmp_path: Path) -> None:
    """And what the second implementation pays."""
    seen: set[str] = set()
    for seed in range(60):
        spec = draw(seed, "formulas")
        rules, machine, rng = rules_of(spec, tmp_path), make_rules(spec), Random(seed)
        seen |= spec.mechanisms
        for _ in range(30):
            least = spec.clear_size
            groups = tuple(least + rng.choice((0, 0, 0, 1, 2, 5)) for _ in range(rng.choice((1, 1, 2, 3))))
            step, colors = rng.randint(1, 12), rng.randint(1, len(groups))
            paid = machine.points(step, Cleared(frozenset(), groups, colors), 0)
            assert paid == rules.step_score(step, [*groups], colors) == naive._points(spec, step, [*groups], colors, 0)
    assert {one.name for one in FORMULAS} <= seen


@pytest.mark.parametrize("name", ["pays_clear", "pays_row", "pays_longer"])
def test_what_is_left_empty_is_paid_as_the_rules_file_says(name: str, tmp_path: Path) -> None:
    spec = draw(3, "formulas", name)
    rules, machine = rules_of(spec, tmp_path), make_rules(spec)
    paid = set()
    for drawn in ("RRRR..", ".BBB..\nRRRRB.", "RRRRB.", "R.....\nGGGG.."):
        field = Field.parse(drawn)
        cells, points, step = field.cells[ROWS - spec.height :].flatten().tolist(), 0, 0
        while cleared := machine.find(cells):
            step += 1
            left = machine.after(cells, cleared)
            bonus, _ = machine.emptied(step, left)
            paid.add((step, bonus))
            points += machine.points(step, cleared, 0) + bonus
            cells = machine.fall(left)
        assert points == resolve(field, rules).score
        grid = [[(naive.WORDS[code], "") for code in row] for row in field.cells[ROWS - spec.height :].tolist()]
        assert points == naive.outcome(spec, grid, (), 0)[1]
    assert len({bonus for _, bonus in paid if bonus}) == (2 if name == "pays_longer" else 1)


@pytest.mark.parametrize("seed", range(10))
def test_a_pair_moves_by_its_rules_file(seed: int, tmp_path: Path) -> None:
    spec = draw(seed)
    rules = rules_of(spec, tmp_path)
    game = Stranger(spec)
    player = Player(game)
    player.play(5)
    while not player.truth.control:
        player.step()
    motion, board, up = game.seats[0].motion, game.seats[0].board, ROWS - spec.height
    board.settled()
    cells = field_of(spec, tuple(player.truth.cells())).cells.tolist()
    kind = game.seats[0].hand.get()
    rng = Random(seed)
    spawn = family_spawn(spec)
    state = PairState(spawn["x"], spawn["y"], Orientation[spawn["orientation"].upper()])
    motion.lift()
    motion.place.store(state.x - 1, state.y - up, SIDES.index(state.orientation), 0)
    if spec.orientation == "codes":
        game.seats[0].hand.set(kind, SIDES.index(state.orientation))
    if spec.inside:
        motion._stamp(True)
    for _ in range(60):
        action = rng.choice(list(Action))
        before = motion.place.load()
        if action is Action.DOWN:
            motion.lift()
            column, row, turn = before
            if motion.fits(kind, column, row + 1, turn):
                motion.place.store(column, row + 1, turn, 0)
            if spec.inside:
                motion._stamp(True)
        elif action in (Action.LEFT, Action.RIGHT):
            motion._move(-1 if action is Action.LEFT else 1)
        else:
            motion._turn(1 if action is Action.ROTATE_CW else -1)
        state = move(cells, state, action, None, rules)
        column, row, turn = motion.place.load()
        assert PairState(column + 1, row + up, SIDES[turn]) == state, f"{before} {action!r}"
