"""Matches dealt by the generators of published games."""

from __future__ import annotations

from itertools import islice

import pytest
from ochibot.errors import ConfigError
from ochibot.puyo import Deal, Match, load_rules
from ochibot.puyo.sim.dealer import PoolDealer
from ochibot.puyo.sim.match import Source

RULES = load_rules("famicom")


def dealt(deal: Deal, seat: int, count: int = 8) -> str:
    return " ".join(str(pair) for pair in islice(deal.dealer(RULES, seat), count))


def test_the_published_pairs_come_in_the_familys_colors() -> None:
    assert " ".join(map(str, islice(PoolDealer("modern", 42), 8))) == "PP GG RY RR RY YG RG RR"
    # 0 red, 1 yellow, 3 green, 4 purple, 5 blue
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
    # two pairs of each seat are in play already
    rest = [" ".join(str(pair) for pair in islice(match.side(seat).dealer, 4)) for seat in (1, 2)]
    assert rest == ["PG RY PG PR", "PG RY YG YR"]


@pytest.mark.parametrize("source", ["tsu", "puyo1", "modern"])
def test_what_a_game_never_deals_is_refused(source: Source) -> None:
    with pytest.raises(ConfigError, match="choose 3, 4 or 5"):
        Match(Deal(1, colors=6, source=source), RULES)
    with pytest.raises(ConfigError, match="no items"):
        Match(Deal(1, items="big", source=source), RULES)
