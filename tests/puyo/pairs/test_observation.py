"""Tests of how people may write down the pairs that they have seen."""

from __future__ import annotations

import pytest
from ochibot.errors import ConfigError
from ochibot.puyo.pairs.observation import observed


def test_names_are_taken_in_any_spelling() -> None:
    assert observed(["rr", "Rg", "*g", "??"], 4).signs == "RRRG?G??"
    assert observed(["00", "03", "?3", "??"], 4).signs == "0003?3??"
    assert observed(["?B", "AB", "CA"], 4).names == "BAC"


def test_tsu_deals_its_third_pair_first() -> None:
    observation = observed(["AB", "?C", "DA", "BB"], 4)
    assert observation.seen("tsu") == [(4, 0), (5, 1), (3, 2), (0, 3), (1, 0), (6, 1), (7, 1)]
    assert observation.seen("modern") == [(0, 0), (1, 1), (3, 2), (4, 3), (5, 0), (6, 1), (7, 1)]


@pytest.mark.parametrize(
    ("pairs", "colors", "named"),
    [
        ([], 4, "no pair"),
        (["R"], 4, "'R'"),
        (["RRR"], 4, "RRR"),
        (["RG", "R1"], 4, "mixed"),
        (["RG", "11"], 4, "mixed"),
        (["R!"], 4, "R!"),
        (["Rß"], 4, "Rß"),
        (["R٣"], 4, "R٣"),
        (["RG", "BY"], 3, "4 colours"),
        (["RG"], 6, "6 colours"),
        (["RG"] * 1025, 4, "1,025"),
    ],
)
def test_what_nobody_can_have_seen_is_refused(pairs: list[str], colors: int, named: str) -> None:
    with pytest.raises(ConfigError, match=r"give|choose|name") as refused:
        observed(pairs, colors)
    assert named in str(refused.value)
