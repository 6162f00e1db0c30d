"""Trainers with battles of known outcome. The article's trainer is compared with a naive version of its algorithm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.errors import UsageError
from ochibot.lab.contest.contestant import Entrant, contestant
from ochibot.lab.contest.space import NyaaSpace, PuyoSpace, space_of
from ochibot.lab.contest.table import GAMES, GameName, GameRecord, Move, deal_number, table_of
from ochibot.lab.contest.trainers import (
    FIRST_SEED,
    AloneTask,
    ArticleTrainer,
    BattleTask,
    EvolutionTrainer,
    Solitaire,
    margin,
    merged,
    play_alone,
    play_battle,
    surely_better,
)
from ochibot.lab.contest.training import Task, Training, solitaire
from ochibot.nyaa.search.player import load_nyaa_player
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.search.player import load_player
from ochibot.puyo.sim.fifty import play

ARTICLE = load_player(data_path("configs/players/article.yaml"))
SPACE = PuyoSpace(ARTICLE)
TABLE = table_of("puyo", max_pieces=5)
GOAL = np.array([30, 5, 5, 20, 10, 10, 20.0])


def nearness(player: Entrant) -> float:
    """The negative distance between the logarithms of a player's weights and GOAL. The nearer player wins a battle."""
    weights = np.array(list(player.config.weights.model_dump().values()))
    return -float(np.abs(np.log(weights / GOAL)).sum())


def decided(task: Task) -> dict[str, Any]:
    if isinstance(task, AloneTask):
        return {"points": 0, "margin": -abs(task.player.config.weights.link - 9) / 10}
    first, second = map(nearness, task.players)
    return {"points": float(first > second) * task.games, "margin": (first - second) / 40}


def run(trainer: ArticleTrainer | EvolutionTrainer, random: np.random.Generator | None = None) -> None:
    """Runs one battle at a time; with ``random``, several at a time, which end in random order."""
    running: list[tuple[int, Task]] = []
    while not trainer.finished:
        while (task := trainer.take()) is not None:
            running.append(task)
            if random is None:
                break
        number, battle = running.pop(0 if random is None else int(random.integers(len(running))))
        trainer.done(number, decided(battle))


def test_the_article_word_for_word() -> None:
    """The trainer's vectors equal those of a plain loop of battles. Two vectors are drawn for each. The loser is then
    replaced by 80 % of the winner plus 20 % of the loser, with each element changed by up to 5 %."""
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
    # chance plays no part in these battles, so poor candidates are dropped as soon as the trainer can drop any
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


@pytest.mark.parametrize(("name", "game"), [("nyaa_beam", "nyaa"), ("versus", "tsu")])
def test_players_of_other_kinds_are_refused(name: str, game: GameName) -> None:
    with pytest.raises(
        UsageError, match=rf"the player {name} can't be trained: only players of the kinds two_ply, beam and"
    ):
        space_of(contestant(name, game, table_of(game).rules))


@pytest.mark.parametrize("game", GAMES)
def test_a_battle_of_equal_players_from_both_seats(game: str) -> None:
    """A deal is played from both seats. Points and margin stay within their bounds, and a repetition gives the same."""
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


CHAIN = contestant("chain", "tsu", table_of("tsu").rules)


def test_a_chain_player_is_trained_alone() -> None:
    """Every candidate of a generation gets the same deals. Only the weight ``link`` decides a result; 9 is best."""
    table = solitaire(CHAIN, table_of("tsu"), 500, [])
    assert isinstance(table, Solitaire)
    space = space_of(CHAIN, 500)
    trainer = EvolutionTrainer(space, table, population=10, games=8, generations=12, seed=1)
    first = [task for _, task in iter(trainer.take, None)]
    assert {task.deal for task in first} == {task.deal for task in first[:2]}
    assert len({task.deal for task in first}) == 2
    assert all(isinstance(task, AloneTask) and task.player.config.nodes == 500 for task in first)
    trainer = EvolutionTrainer(space, table, population=10, games=8, generations=12, seed=1)
    run(trainer)
    assert abs(trainer.log[-1]["weights"]["link"] - 9) < 1.5 < abs(CHAIN.config.weights.link - 9)
    made = space.player(trainer.mean(), "x", "y")
    assert made.nodes == CHAIN.config.nodes
    assert (made.weights.chain, made.weights.link) == (1, trainer.log[-1]["weights"]["link"])
    assert made.deciding.patience == CHAIN.config.deciding.patience


def test_the_chain_players_numbers_begin_as_in_its_file() -> None:
    space = space_of(CHAIN)
    made = space.player(space.at(np.zeros(space.size)), CHAIN.name, CHAIN.config.provenance.weights)
    assert made == CHAIN.config
    assert space.by_metric(space.at(np.ones(space.size)))["link"] == 6
    assert space.by_metric(space.at(np.full(space.size, -100.0)))["promise"] == 0


def test_games_alone_are_those_of_the_protocol() -> None:
    """The points and margin are those of games by ``play``. Seeds are from 20,000 on: lower ones are for measuring
    strength.
    """
    rules, space = load_rules("tsu"), space_of(CHAIN, 200)
    found = play_alone(AloneTask(Solitaire(rules, 200), space.contestant(space.at(np.zeros(17)), "x"), 5, 2))
    player = ChainPlayer(CHAIN.config.model_copy(update={"nodes": 200}), rules, deal_number(5, "ties", 0))
    seeds = [FIRST_SEED + deal_number(5, "game", number) % (65_536 - FIRST_SEED) for number in range(2)]
    assert min(seeds) >= 20_000
    scores = [play(player, rules, seed).score for seed in seeds]
    assert found == {"points": sum(scores), "margin": round(sum((s / 1e5) ** 0.5 for s in scores) / 2, 9)}


@pytest.mark.parametrize(
    ("name", "game", "nodes", "others", "why"),
    [
        ("article", "puyo", 5, [], "--nodes is only for players of the kind beam"),
        ("chain", "puyo", None, [], "by the rules of Tsu: give --game tsu"),
        ("chain", "tsu", None, ["--level"], "leave out --level"),
    ],
)
def test_options_that_do_not_fit_are_refused(name: str, game: str, nodes: int, others: list[str], why: str) -> None:
    table = table_of(game)
    with pytest.raises(UsageError, match=why):
        solitaire(contestant(name, game, table.rules), table, nodes, others)


def test_the_article_s_trainer_does_not_begin_chains_from_nothing() -> None:
    table = Solitaire(load_rules("tsu"), 100)
    with pytest.raises(UsageError, match="give --method cma"):
        Training("article", CHAIN, table, population=4, games=1, generations=1, seed=1, command="")


def test_a_contestant_keeps_the_options_behind_its_name() -> None:
    rules = table_of("puyo").rules
    made = contestant("chain[nodes=300]", "puyo", rules)
    assert made.name == "chain[nodes=300]"
    assert made.identity()["options"] == {"nodes": 300}
    assert made.open("puyo", rules, 1)._nodes == 300  # type: ignore[attr-defined]
    assert "options" not in contestant("chain", "puyo", rules).identity()
