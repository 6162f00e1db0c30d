"""The trainers on battles whose outcome is known, beside the article's algorithm written down naively."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.errors import UsageError
from ochibot.lab.contest.article import ArticleTrainer, merged
from ochibot.lab.contest.battle import BattleTask, margin, play_battle
from ochibot.lab.contest.contestant import Contestant, contestant
from ochibot.lab.contest.evolution import EvolutionTrainer, surely_better
from ochibot.lab.contest.space import NyaaSpace, PuyoSpace, space_of
from ochibot.lab.contest.table import GAMES, GameName, GameRecord, Move, table_of
from ochibot.nyaa.search.player import load_nyaa_player
from ochibot.puyo.search.player import load_player

ARTICLE = load_player(data_path("configs/players/article.yaml"))
SPACE = PuyoSpace(ARTICLE)
TABLE = table_of("puyo", max_pieces=5)
GOAL = np.array([30, 5, 5, 20, 10, 10, 20.0])


def nearness(player: Contestant) -> float:
    """How near a player's weights are to a goal: what the battles below are decided by."""
    weights = np.array(list(player.config.weights.model_dump().values()))
    return -float(np.abs(np.log(weights / GOAL)).sum())


def decided(task: BattleTask) -> dict[str, Any]:
    first, second = map(nearness, task.players)
    return {"points": float(first > second) * task.games, "margin": (first - second) / 40}


def run(trainer: ArticleTrainer | EvolutionTrainer, random: np.random.Generator | None = None) -> None:
    """One battle at a time, or many at a time that end in an order that dice throw."""
    running: list[tuple[int, BattleTask]] = []
    while not trainer.finished:
        while (task := trainer.take()) is not None:
            running.append(task)
            if random is None:
                break
        number, battle = running.pop(0 if random is None else int(random.integers(len(running))))
        trainer.done(number, decided(battle))


def test_the_article_word_for_word() -> None:
    """A set of vectors; two are drawn; 80 % of the winner and 20 % of the loser, changed by up to 5 %, replace the
    loser. One battle after the other, in plain lists."""
    trainer = ArticleTrainer(SPACE, TABLE, population=6, games=1, generations=5, seed=4)
    dice = np.random.default_rng((4, 0))
    vectors = [dice.random(7).tolist() for _ in range(6)]
    for number in range(30):
        first, second = np.random.default_rng((4, 1, number)).choice(6, 2, replace=False).tolist()
        values = [nearness(SPACE.contestant(np.array(vectors[one]), "x")) for one in (first, second)]
        winner, loser = (first, second) if values[0] > values[1] else (second, first)
        changes = np.random.default_rng((4, 2, number)).uniform(0.95, 1.05, 7)
        vectors[loser] = [
            (0.8 * good + 0.2 * poor) * change
            for good, poor, change in zip(vectors[winner], vectors[loser], changes, strict=True)
        ]
    run(trainer)
    assert np.allclose(trainer._vectors, vectors)
    assert [entry["generation"] for entry in trainer.log] == [1, 2, 3, 4, 5]
    assert trainer.log[-1]["evaluations"] == 30
    assert sum(trainer.log[-1]["weights"].values()) == pytest.approx(100, rel=1e-3)


def test_merging_keeps_to_its_five_percent() -> None:
    winner, loser = np.full(1000, 10.0), np.full(1000, 5.0)
    child = merged(winner, loser, np.random.default_rng(1))
    assert 9 * 0.95 <= min(child) < 9 * 0.96
    assert 9 * 1.04 < max(child) <= 9 * 1.05


@pytest.mark.parametrize("kind", [ArticleTrainer, EvolutionTrainer])
def test_the_order_in_which_battles_end_changes_nothing(kind: type[ArticleTrainer | EvolutionTrainer]) -> None:
    def made() -> ArticleTrainer | EvolutionTrainer:
        return kind(SPACE, TABLE, population=8, games=8, generations=4, seed=2)

    alone = made()
    run(alone)
    for seed in range(3):
        together = made()
        run(together, np.random.default_rng(seed))
        assert together.log == alone.log


@pytest.mark.parametrize(("kind", "generations"), [(ArticleTrainer, 60), (EvolutionTrainer, 40)])
def test_training_comes_nearer_to_the_goal(kind: type[ArticleTrainer | EvolutionTrainer], generations: int) -> None:
    trainer = kind(SPACE, TABLE, population=12, games=8, generations=generations, seed=1)
    begin = nearness(SPACE.contestant(trainer.mean(), "x"))
    run(trainer)
    assert nearness(SPACE.contestant(trainer.mean(), "x")) > begin / 2
    assert list(trainer.log[-1]["weights"]) == list(SPACE.names)


def test_racing_drops_what_is_surely_poor() -> None:
    good = np.array([0.5, 0.6, 0.4, 0.5])
    assert surely_better(good, good - 0.3)
    assert not surely_better(good, good)
    assert not surely_better(good, np.array([0.9, 0.1, 0.6, 0.3]))
    trainer = EvolutionTrainer(SPACE, TABLE, population=12, games=40, generations=3, seed=1)
    run(trainer)
    # with outcomes that chance has no part in, the poor half leaves at the first look
    assert trainer.log[-1]["evaluations"] < 3 * 12 * 40
    assert trainer.log[0]["dropped"] > 0


def test_numpys_own_dice_stay_as_they_are() -> None:
    np.random.seed(5)
    before = _numpys_dice()
    run(EvolutionTrainer(SPACE, TABLE, population=4, games=4, generations=2, seed=1))
    assert _numpys_dice() == before


def _numpys_dice() -> str:
    """The state of numpy's own generator, as text."""
    with np.printoptions(threshold=10_000):
        return repr(np.random.get_state())


def test_spaces() -> None:
    start = contestant("nyaa", "nyaa", table_of("nyaa").rules)
    nyaa = space_of(start)
    assert isinstance(nyaa, NyaaSpace)
    assert (
        nyaa.by_metric(nyaa.at(np.zeros(21)))
        == load_nyaa_player(data_path("configs/players/nyaa.yaml")).weights.model_dump()
    )
    assert SPACE.by_metric(SPACE.at(np.zeros(7))) == ARTICLE.weights.model_dump()
    random = nyaa.random(np.random.default_rng(1))
    made = nyaa.player(random, "x", "y")
    assert all(abs(value) <= 1e3 for value in made.weights.factors)


@pytest.mark.parametrize(("name", "game"), [("nyaa_beam", "nyaa"), ("chain", "puyo"), ("versus", "tsu")])
def test_players_of_other_kinds_are_refused(name: str, game: GameName) -> None:
    with pytest.raises(UsageError, match=rf"the player {name} can't be trained: only players of the kinds two_ply and"):
        space_of(contestant(name, game, table_of(game).rules))


@pytest.mark.parametrize("game", GAMES)
def test_a_battle_of_equal_players_from_both_seats(game: str) -> None:
    """Both sides of a deal, the players' ties broken differently: what one wins the other loses."""
    table = table_of(game, max_pieces=12)
    player = contestant("nyaa" if game == "nyaa" else "article", game, table.rules)
    result = play_battle(BattleTask(table, (player, player), 77, 2))
    assert 0 <= result["points"] <= 2
    assert -1 <= result["margin"] <= 1
    assert play_battle(BattleTask(table, (player, player), 77, 2)) == result


def test_margins() -> None:
    quick = GameRecord(
        deal=1, loser=2, frames=9, pieces=[10, 10], scores=[0, 0], sent=[5, 1], best=[1, 1], moves=["", ""]
    )
    slow = GameRecord(**{**quick, "pieces": [200, 200]})
    drawn = GameRecord(**{**quick, "loser": 0})
    assert 1 > margin(quick, 1) > margin(slow, 1) > 0.5 > margin(drawn, 1) > 0
    for played in (quick, slow, drawn):
        assert margin(played, 1) == -margin(played, 2)


def test_moves_and_their_text() -> None:
    from ochibot.falling.orientation import Orientation

    moves = [Move(x, 13 - x, Orientation(x % 4), x % 2 == 0, x, 36 * x + 3) for x in range(1, 8)]
    assert Move.parse("".join(map(str, moves))) == moves
    for wrong in ("12345", "1234_6", "119111"):
        with pytest.raises(Exception, match="damaged"):
            Move.parse(wrong)
