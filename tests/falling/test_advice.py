"""The best places: a player is asked again and again without the places that it has named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from ochibot.falling.advice import Advice, Danger, advise, best_places


@dataclass(frozen=True)
class Seen:
    """A snapshot: the values of places, by name, and the hands."""

    values: dict[str, int]
    hands: Callable[[str], bool] | None = None


@dataclass(frozen=True)
class Made:
    """A decision."""

    placement: str


class Highest:
    """Chooses the place of the highest value that the hands reach; with none, the highest of all."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, seen: Seen) -> Made | None:
        self.asked += 1
        ranked = sorted(seen.values, key=lambda place: -seen.values[place])
        reached = [place for place in ranked if seen.hands is None or seen.hands(place)]
        return Made((reached or ranked)[0]) if ranked else None


class Stubborn(Highest):
    """Doesn't heed the hands."""

    def choose(self, seen: Seen) -> Made | None:
        return super().choose(Seen(seen.values))


def cells_of(_: Seen, decision: Any) -> frozenset[tuple[int, int, int]]:
    """Places that differ in their second letter only are one."""
    return frozenset({(ord(decision.placement[0]), 0, 0)})


def named(player: Any, again: Any, seen: Seen, most: int = 3) -> list[str]:
    return [decision.placement for decision, _ in best_places(player, again, seen, cells_of, most)]


def test_they_are_those_of_the_highest_value_in_order() -> None:
    player, again = Highest(), Highest()
    assert named(player, again, Seen({"a": 1, "b": 4, "c": 3, "d": 2})) == ["b", "c", "d"]
    assert (player.asked, again.asked) == (1, 2)


def test_two_placements_of_the_same_cells_are_one_place() -> None:
    assert named(Highest(), Highest(), Seen({"a1": 4, "a2": 3, "b": 1})) == ["a1", "b"]


def test_places_out_of_reach_stay_out_of_reach() -> None:
    assert named(Highest(), Highest(), Seen({"a": 3, "b": 2, "c": 1}, hands=lambda place: place != "b")) == ["a", "c"]


def test_a_player_that_does_not_heed_the_hands_names_one_place() -> None:
    assert named(Stubborn(), Stubborn(), Seen({"a": 3, "b": 2})) == ["a"]


def test_without_a_placement_there_is_none() -> None:
    assert named(Highest(), Highest(), Seen({})) == []


@pytest.mark.parametrize("adviser", [None, "some"])
def test_the_gravest_danger_comes_first(adviser: str | None) -> None:
    class Adviser:
        player = match_player = "x"
        again: ClassVar[dict[str, int]] = {}
        shape = 1, 1

        def prepare(self) -> None: ...

        def rows(self, _: Seen) -> list[list[int]]:
            return []

        def row_of(self, y: int) -> int:
            return y

        def effects(self, _: Seen, decisions: Any) -> list[tuple[str, str]]:
            return [(f"now {one.placement}", "") for one in decisions]

        def in_reach(self, _: Seen) -> None: ...

        def fire(self, _: Seen, decision: Any) -> str:
            return str(decision.placement)

        def chance(self, _: Seen) -> float | None:
            return 0.75

        def dangers(self, _: Seen) -> list[Danger]:
            return [Danger("small", 0), Danger("large", 2, 90), Danger("middle", 1)]

    given = None if adviser is None else Adviser()
    advice: Advice = advise(Highest(), Highest(), given, Seen({"a": 1, "b": 2}), cells_of)
    assert [place.decision.placement for place in advice.places] == ["b", "a"]
    if adviser is None:
        assert (advice.dangers, advice.fire, advice.places[0].now) == ((), "", "")
        return
    assert list(map(str, advice.dangers)) == ["large, in about 1.5 s", "middle", "small"]
    assert advice.chance == 0.75
    assert (advice.fire, [place.now for place in advice.places]) == ("b", ["now b", "now a"])
