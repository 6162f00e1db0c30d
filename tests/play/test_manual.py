"""Tests of ManualSeat frame by frame, with a game that follows a script."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.console import Button
from ochibot.errors import GameError, StalledError
from ochibot.play.manual import ManualSeat


class Forecast:
    """A forecast whose ``holds`` returns ``right``."""

    chain = 2

    def __init__(self, right: bool) -> None:
        self.right = right

    def misses(self, landed: object) -> bool:  # noqa: ARG002
        return False

    def covers(self, _seen: object) -> bool:
        return True

    def holds(self, seen: object) -> bool:  # noqa: ARG002
        return self.right

    def describe(self, seen: object) -> str:  # noqa: ARG002
        return "otherwise"


class Course:
    """A course whose target is where the pair already is, so that only Down is pressed."""

    presses = ()
    down = "down"

    def there(self, state: object) -> bool:
        return state is not None

    def way(self, state: object) -> tuple[str, ...]:  # noqa: ARG002
        return ()


class Game:
    """A fake machine that is also the seat. spawns: frames at which a pair appears. over: from this frame on, the game
    is over. right: whether locks agree with their forecasts.
    """

    def __init__(self, spawns: tuple[int, ...], over: int = 10**9, number: int = 1, *, right: bool = True) -> None:
        self.spawns, self.end, self.number, self.right = spawns, over, number, right
        self.pads: list[tuple[int, ...]] = []
        self.reached = self.resynced = self.updated = 0
        self.spawned = False
        self.ram = SimpleNamespace(everything=lambda: self.frame.to_bytes(4, "little"))

    @property
    def frame(self) -> int:
        return len(self.pads)

    def step(self, *pads: int) -> None:
        self.pads.append(pads)

    def reach(self) -> None:
        self.reached += 1

    def update(self) -> bool:
        self.updated += 1
        self.spawned = self.frame in self.spawns
        return self.spawned

    def over(self) -> bool:
        return self.frame >= self.end

    def resync(self) -> None:
        self.resynced += 1

    def fresh(self) -> None:
        pass

    def snapshot(self) -> Any:
        return SimpleNamespace(pair="RG", next_pair="RG", state=1, at=self.frame)

    def starts_at(self, state: object) -> bool:  # noqa: ARG002
        return True

    def falling(self) -> bool:
        return True

    def ready(self) -> bool:
        return True

    def pair_state(self) -> int:
        return 1

    def has_locked(self) -> bool:
        return False

    def in_hand(self) -> bool:
        return self.reached > 0

    def in_menus(self) -> bool:
        return False

    def decided(self, snapshot: Any, choice: Any) -> Any:
        assert snapshot.pair == "RG"
        return choice if hasattr(choice, "placement") else SimpleNamespace(placement=choice)

    def forecast(self, *_: object) -> Forecast:
        return Forecast(self.right)

    def course(self, *_: object) -> Course:
        return Course()

    def settled(self) -> str:
        return "seen"

    def score(self) -> int:
        return 10 * self.frame

    def level(self) -> int:
        return 1

    def button(self, action: str) -> Button:
        assert action == "down"
        return Button.DOWN


def seated(game: Any) -> ManualSeat:
    return ManualSeat(game, game, game.reach)


@pytest.mark.parametrize("number", [1, 2])
def test_a_pair_is_placed_and_the_next_one_waited_for(number: int) -> None:
    game = Game((4, 9), number=number)
    hand = seated(game)
    assert not hand.over
    assert hand.start().at == 0
    # RAM is looked at by the first call, and again at the start
    assert (game.reached, game.resynced) == (1, 2)
    for spawn in (4, 9):
        done = hand.place(3)
        assert (done.chain, done.score, done.agreed, done.game_over) == (2, 10 * spawn, True, False)
        assert hand.snapshot.at == spawn
    idle = (Button.NONE,) * (number - 1)
    # nothing is pressed in the first frame after a pair appears; Down is held from the second on
    assert game.pads[:5] == [(*idle, Button.NONE), *[(*idle, Button.DOWN)] * 3, (*idle, Button.NONE)]


@pytest.mark.parametrize(("over", "seen"), [(1, 1), (2, 9), (9, 9), (10, 17), (500, 505), (3000, 3001)])
def test_the_end_of_a_game_is_looked_for_at_each_eighth_frame(over: int, seen: int) -> None:
    game = Game((), over)
    hand = seated(game)
    hand.start()
    done = hand.place(3)
    assert (done.game_over, hand.over, game.frame) == (True, True, seen)
    with pytest.raises(GameError, match="no pair is out"):
        _ = hand.snapshot
    with pytest.raises(GameError, match="no pair is out"):
        hand.place(3)
    game.end = 10**9
    hand.start()
    assert not hand.over
    assert (game.reached, hand.snapshot.at) == (2, seen)


def test_a_lock_that_comes_otherwise_does_not_agree() -> None:
    game = Game((4, 9), right=False)
    hand = seated(game)
    hand.start()
    assert [hand.place(3).agreed for _ in range(2)] == [False, False]
    game.right = True
    game.spawns = (20, 30)
    hand.place(3)
    assert hand.place(3).agreed


def test_a_game_that_deals_no_other_pair_is_ended_after_a_minute() -> None:
    game = Game(())
    hand = seated(game)
    hand.start()
    with pytest.raises(StalledError, match="for 3600 frames"):
        hand.place(3)
    assert game.frame == 3600


def test_frames_by_hand() -> None:
    """Before ``start``, ``step`` only runs a frame and lets the seat read RAM. Afterwards it also notices the end."""
    game = Game((), over=3)
    hand = seated(game)
    hand.step(Button.START, Button.A)
    assert (game.pads, game.updated, hand.over) == ([(Button.START, Button.A)], 1, False)
    with pytest.raises(GameError, match="no pair is out"):
        _ = hand.snapshot
    hand.start()
    hand.step()
    assert not hand.over
    hand.step()
    assert hand.over
    game.end = 10**9
    hand.step()
    assert hand.over, "once over it stays so until another start"
