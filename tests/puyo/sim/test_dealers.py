"""Tests of matches and self-play whose pairs come from the generators of published games."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.lab.selfplay import SelfPlay
from ochibot.puyo import Deal, Field, Match, Snapshot, UniformDealer, load_rules, place
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.sim.dealer import PlainSource, PoolDealer, self_play_dealer
from ochibot.puyo.sim.match import Source

from tests.puyo import SPAWN

RULES = load_rules("famicom")


def dealt(deal: Deal, seat: int, count: int = 8) -> str:
    return " ".join(str(pair) for pair in islice(deal.dealer(RULES, seat), count))


def test_the_published_pairs_come_in_the_familys_colors() -> None:
    assert " ".join(map(str, islice(PoolDealer("modern", 42), 8))) == "PP GG RY RR RY YG RG RR"
    # the games' colour codes: 0 red, 1 yellow, 3 green, 4 purple, 5 blue
    assert dealt(Deal(0x35879DE2, source="tsu"), 1, 5) == "BR RR BB BB BP"
    assert dealt(Deal(1, source="puyo1"), 1) == "YR RG PG RY PG PR GR PG"
    assert dealt(Deal(0x1234_002A, source="modern"), 1) == "PP GG RY RR RY YG RG RR"


@pytest.mark.parametrize("source", ["cartridge", "uniform", "tsu", "modern"])
def test_both_seats_get_the_same_pairs(source: Source) -> None:
    deal = Deal(0x1234_5678, colors=5, source=source)
    assert dealt(deal, 1, 200) == dealt(deal, 2, 200)


def test_the_seats_of_puyo1_part_after_four_pairs() -> None:
    deal = Deal(1, source="puyo1")
    assert dealt(deal, 2) == "YR RG PG RY YG YR RP YP"
    match = Match(deal, RULES)
    # each seat has already been dealt two pairs
    rest = [" ".join(str(pair) for pair in islice(match.side(seat).dealer, 4)) for seat in (1, 2)]
    assert rest == ["PG RY PG PR", "PG RY YG YR"]


@pytest.mark.parametrize("source", ["tsu", "puyo1", "modern"])
def test_what_a_game_never_deals_is_refused(source: Source) -> None:
    with pytest.raises(ConfigError, match="choose 3, 4 or 5"):
        Match(Deal(1, colors=6, source=source), RULES)
    with pytest.raises(ConfigError, match="no items"):
        Match(Deal(1, items="big", source=source), RULES)


@pytest.mark.parametrize("source", ["uniform", "tsu", "puyo1", "modern"])
def test_self_play_is_dealt_the_generators_pairs(source: PlainSource) -> None:
    """For 300 pieces (a pool has 128 pairs), the kernel plays the same game as TwoPly with the dealer."""
    rules, player = RULES, load_player(data_path("configs/players/article.yaml"))
    game = SelfPlay(player, 4, 0x2A, rules, source)
    dealer = UniformDealer(0x2A, 4) if source == "uniform" else PoolDealer(source, 0x2A)
    two_ply, field = TwoPly(player, rules), Field.empty()
    pair, following = next(dealer), next(dealer)
    for _ in range(300):
        decision = two_ply.choose(Snapshot(field, pair, following, 0, SPAWN))
        assert decision is not None
        field = place(field, pair, decision.placement, rules).field
        pair, following = following, next(dealer)
        game.play(1)
        assert game.field == field


def test_a_saved_self_play_goes_on_with_its_own_dealer_only(tmp_path: Path) -> None:
    player = load_player(data_path("configs/players/article.yaml"))
    whole = SelfPlay(player, 4, 7, RULES, "tsu").play(700)
    first = SelfPlay(player, 4, 7, RULES, "tsu")
    first.play(300)
    first.save(tmp_path / "state.npz")
    others: tuple[PlainSource, ...] = ("uniform", "puyo1")
    for source in others:
        with pytest.raises(ConfigError, match="another player, dealer"):
            SelfPlay(player, 4, 7, RULES, source).load(tmp_path / "state.npz")
    second = SelfPlay(player, 4, 7, RULES, "tsu")
    second.load(tmp_path / "state.npz")
    assert str(second.play(400)) == str(whole)


@pytest.mark.parametrize(
    ("source", "seed", "colors"), [("tsu", 1 << 32, 4), ("modern", 65536, 4), ("puyo1", 1, 6), ("dice", 1, 4)]
)
def test_self_play_by_what_there_is_not(source: PlainSource, seed: int, colors: int) -> None:
    with pytest.raises(ConfigError, match=r"give|choose"):
        self_play_dealer(source, seed, colors)
