"""Rules that few games have: one group bonus for a whole step, an all-clear bonus paid later, points for Down."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import yaml
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.lab.selfplay import SelfPlay
from ochibot.puyo import Field, Orientation, Pair, Placement, Rules, Snapshot, place
from ochibot.puyo.accounts import Owed, SoftRows
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.rules.steps import lock_piece
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.player import PlayerConfig
from ochibot.puyo.sim.dealer import UniformDealer
from ochibot.puyo.sim.match import Deal, Match

from tests.puyo import FAMICOM

BY_STEP = dataclasses.replace(FAMICOM, name="by step", group_bonus_per="step")
EXCESS = dataclasses.replace(FAMICOM, name="excess", group_bonus_per="excess")
NOW = dataclasses.replace(FAMICOM, name="now", all_clear_bonus=1000)
LATER = dataclasses.replace(FAMICOM, name="later", all_clear_bonus=1000, all_clear_paid="next_chain")
RIGHT, UP = Orientation.RIGHT, Orientation.UP


def test_a_step_of_two_groups_has_two_bonuses_or_one() -> None:
    """Six red and four green puyos clear. Their size bonus is 3 + 0 by group, or 7 for all ten puyos together; the two
    colours add 3.
    """
    field = Field.parse("o....G\nRRRRRG\noooRGG")
    assert resolve(field, FAMICOM).score == 100 * (3 + 0 + 3)
    assert resolve(field, BY_STEP).score == 100 * (7 + 3)
    # two more than four red ones count like one group of six
    assert resolve(field, EXCESS).score == 100 * (3 + 3)
    both = Field.parse("RRRR..\nRGGGGG")
    assert resolve(both, FAMICOM).score == 100 * (2 + 2 + 3)
    assert resolve(both, EXCESS).score == 100 * (3 + 3)
    # a colour may have several groups
    apart = Field.parse("R..R..\nRR.RR.\nRR.RR.")
    assert [resolve(apart, one).score for one in (EXCESS, FAMICOM)] == [100 * 3, 100 * (2 + 2)]
    # nuisance that is cleared beside a group doesn't count, and a single group has the same bonus either way
    alone = Field.parse("RRRRR.\noooooo")
    assert resolve(alone, FAMICOM).score == resolve(alone, BY_STEP).score == 50 * 2


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("group_bonus_per", "colour", "score.group_bonus_per: input should be 'group', 'step' or 'excess'"),
        ("all_clear_paid", "never", "score.all_clear_paid: input should be 'now' or 'next_chain'"),
    ],
)
def test_a_rules_file_says_how_bonuses_are_given(tmp_path: Path, name: str, value: str, reason: str) -> None:
    said = yaml.safe_load(data_path("configs/rules/famicom.yaml").read_text(encoding="utf-8"))
    file = tmp_path / "rules.yaml"
    said["score"] |= {"group_bonus_per": "step", "all_clear_paid": "next_chain"}
    file.write_text(yaml.safe_dump(said), encoding="utf-8")
    assert load_rules(file) == dataclasses.replace(FAMICOM, group_bonus_per="step", all_clear_paid="next_chain")
    said["score"][name] = value
    file.write_text(yaml.safe_dump(said), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"rules\.yaml") as caught:
        load_rules(file)
    assert reason in str(caught.value)


def test_an_emptied_field_is_paid_with_the_next_chain() -> None:
    field, reds = Field.parse("RR...."), Pair(1, 1)
    emptying = Placement(3, 13, RIGHT)
    assert [place(field, reds, emptying, rules).score for rules in (FAMICOM, NOW, LATER)] == [40, 1040, 40]
    done = lock_piece(field, reds, emptying, LATER)
    assert (done.score, done.emptied) == (40, True)


def _played(rules: Rules, locks: int = 120) -> tuple[list[int], list[tuple[int, bool]]]:
    """Plays seat 1 of a match with two colours, with a player that keeps the field low. Returns the score after each
    lock, and for each lock its chain's points and whether the field was empty afterwards.
    """
    player = TwoPly(_clearing(), rules)
    match = Match(Deal(1, colors=2, source="uniform"), rules)
    scores, did = [], []
    for _ in range(locks):
        decision = player.choose(match.snapshot(1))
        assert decision is not None
        done = match.lock(1, decision.placement)
        scores.append(match.seats[0].score)
        did.append((done.lock.chain_score, match.seats[0].field.count() == 0))
    return scores, did


def _clearing() -> PlayerConfig:
    config = load_player(data_path("configs/players/article.yaml"))
    weights = config.weights.model_copy(update={"links": 0.0, "consecutive": 0.0, "variance": 0.0})
    return config.model_copy(update={"weights": weights})


@pytest.mark.parametrize("rules", [NOW, LATER], ids=["now", "later"])
def test_a_match_pays_as_the_rules_say(rules: Rules) -> None:
    """The expected score is counted lock by lock."""
    scores, did = _played(rules)
    expected, owed, total, paid = [], False, 0, 0
    for chain, empty in did:
        emptied = chain > 0 and empty
        if rules is NOW:
            bonus = emptied
        else:
            bonus = owed and chain > 0
            owed = emptied if chain else owed
        paid += bonus
        total += chain + 1000 * bonus
        expected.append(total)
    assert scores == expected
    assert paid > 3


def test_a_decision_scores_an_emptied_field_as_the_rules_do() -> None:
    """The decision's outcome once lacked the all-clear bonus."""
    player = TwoPly(_clearing(), NOW)
    match = Match(Deal(1, colors=2, source="uniform"), NOW)
    seen = 0
    for _ in range(60):
        snapshot = match.snapshot(1)
        decision = player.choose(snapshot)
        assert decision is not None
        assert decision.outcome == place(snapshot.field, snapshot.pair, decision.placement, NOW)
        seen += decision.outcome.score >= 1000
        match.lock(1, decision.placement)
    assert seen


@pytest.mark.long
def test_self_play_pays_with_the_next_chain_and_never_after_a_game_over(tmp_path: Path) -> None:
    """The expected score comes from the same game played in Python, piece by piece. Both go on after a game over."""
    config = _clearing()
    config = config.model_copy(update={"weights": config.weights.model_copy(update={"edge": 0.0})})
    pieces = 600
    game = SelfPlay(config, 2, 5, LATER)
    game.play(pieces // 2)
    game.save(tmp_path / "half.npz")
    other = SelfPlay(config, 2, 5, LATER)
    other.load(tmp_path / "half.npz")
    kept = other.play(pieces - pieces // 2)
    player, dealer = TwoPly(config, LATER), UniformDealer(5, 2)
    field, pair, following = Field.empty(), next(dealer), next(dealer)
    total, owed, clears = 0, False, 0
    for _ in range(pieces):
        decision = player.choose(Snapshot(field, pair, following, 0, LATER.spawn))
        assert decision is not None
        after = place(field, pair, decision.placement, LATER)
        total += after.score
        if after.chain:
            total += 1000 * owed
            owed = after.field.count() == 0
            clears += owed
        if after.game_over:
            owed = False
        field = Field.empty() if after.game_over else after.field
        pair, following = following, next(dealer)
    assert kept.score == total
    assert kept.field_clears == clears > 5


@pytest.mark.long
def test_a_self_play_saved_before_goes_on(tmp_path: Path) -> None:
    """A state as saved by an older version, which is shorter, can be loaded."""
    game = SelfPlay(_clearing(), 4, 1, FAMICOM)
    game.play(100)
    game.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as saved:
        arrays = {name: saved[name] for name in saved}
    arrays["state"] = arrays["state"][:13]
    np.savez(tmp_path / "old.npz", **arrays)
    again = SelfPlay(_clearing(), 4, 1, FAMICOM)
    again.load(tmp_path / "old.npz")
    assert again.play(50).score == game.play(50).score


# what a running game shows


def test_rows_are_sure_while_down_is_held_and_possible_at_its_ends() -> None:
    soft = SoftRows()
    soft.begin()
    # y, and whether Down was pressed for the frame that led there
    for y, down in [(1, False), (2, False), (3, True), (4, True), (5, True), (6, False), (7, False), (8, True)]:
        soft.pressed(down)
        soft.saw(y)
    assert (soft.rows, soft.spare) == (2, 3 + 1)
    soft.begin()
    soft.saw(1)
    assert (soft.rows, soft.spare) == (0, 0)


def test_a_game_that_looks_at_the_pad_rarely_sees_down_and_its_end_late() -> None:
    """The first rows with Down once counted as certain, though the game had not seen the button yet."""
    soft = SoftRows((3, 2))
    soft.begin()
    for y, down in enumerate([False, True, True, True, True, True, False, False, False]):
        soft.pressed(down)
        soft.saw(y)
    assert (soft.rows, soft.spare) == (2, 3 + 2 + 1)


def test_a_row_of_pixels_is_sure_while_down_is_held_all_the_way() -> None:
    """A game counted the row when the pair left the row before, some frames before Down was held."""
    soft = SoftRows(pixels=True)
    soft.begin()
    for frame in range(17):
        soft.pressed(6 <= frame < 14)
        soft.saw(frame // 4)
    assert (soft.rows, soft.spare) == (1, 2 + 1)


def test_a_pair_may_have_sunk_by_pixels_as_it_is_first_seen() -> None:
    """A game pays for a row as a pair leaves the one above: here before Down was held (a game for the Mega Drive)."""
    soft = SoftRows(pixels=True)
    soft.begin()
    for y, down in [(2, False), (2, True), (3, True), (3, True), (4, True)]:
        soft.pressed(down)
        soft.saw(y)
    assert (soft.rows, soft.spare) == (1, 1 + 1)


def test_what_is_owed_is_known_from_fields_alone() -> None:
    pair, owed = Pair(1, 2), Owed(LATER)
    assert owed.owed is None
    owed.saw(Field.empty(), pair, 0, 0)
    assert owed.owed is False
    owed.saw(Field.parse("RG...."), pair, 0, 0)
    owed.saw(Field.empty(), pair, 40, 0)
    assert owed.owed is True
    owed.saw(Field.parse("RG...."), pair, 40, 0)
    assert owed.owed is True  # nothing was cleared
    owed.saw(Field.parse("o.....\nG....."), pair, 1120, 1)
    assert owed.owed is False
    owed.saw(Field.parse("oo...."), pair, 1400, 2)  # the field was emptied, then nuisance fell on it
    assert owed.owed is True
    owed.forget()
    # the first field that is seen after ``forget``, in the middle of a game
    owed.saw(Field.parse("RG...."), pair, 1400, 0)
    assert owed.owed is None
    owed.saw(Field.parse("R....."), pair, 1400, 0)
    assert owed.owed is False
