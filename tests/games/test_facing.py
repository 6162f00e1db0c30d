"""Compares what a seat is told of the other side, on cartridges and in simulated matches, with what comes true."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ochibot.falling.orientation import Orientation
from ochibot.games import find_game
from ochibot.games.protocols import Game
from ochibot.games.unread import Watch
from ochibot.lab.match import play_match
from ochibot.play.battle import Battle, Contestant
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair, PairState
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.sim.match import Deal
from ochibot.puyo.sim.megadrive import FAMICOM, MEGADRIVE

from tests.titles import maps_of, open_console, player_of, rules_of

TSU: Game = find_game("tsu")
PUYO: Game = find_game("puyo")
Seen = list[tuple[int, Snapshot]]


class Noting:
    """Plays as the given player, and adds (number, snapshot) at each choice to ``seen``, which both sides share."""

    watches = True

    def __init__(self, player: Any, number: int, seen: Seen) -> None:
        self._player, self._number, self._seen = player, number, seen

    def choose(self, snapshot: Snapshot) -> Any:
        self._seen.append((self._number, snapshot))
        return self._player.choose(snapshot)


def check(seen: Seen, least_locked: int) -> None:
    """Compares each rival that a snapshot shows with the other side's own snapshots before and after it.

    At least ``least_locked`` of the rivals must have locked already, and one of these must have set off a chain.
    """
    locked = chains = 0
    for at, (number, snapshot) in enumerate(seen):
        rival = snapshot.rival
        assert rival is not None
        before = next((one for who, one in reversed(seen[:at]) if who != number), None)
        after = next((one for who, one in seen[at:] if who != number), None)
        if before is None or after is None:
            continue
        if rival.pairs[0] == before.pair and rival.field == before.field and not rival.frames:
            assert rival.pairs[1] == before.next_pair
            continue
        if rival.pairs[:2] == (after.pair, after.next_pair) and rival.field == after.field:
            continue  # the other side's next pair spawned on this frame, and its player hasn't been asked yet
        locked += 1
        assert rival.pairs == (before.next_pair, *before.foreseen)
        assert after.pair == rival.pairs[0]
        if after.field.count() == rival.field.count():  # no nuisance has fallen since
            assert after.field == rival.field
        else:
            assert after.field.count() > rival.field.count()
        chains += rival.frames > 0
    assert locked >= least_locked
    assert chains > 0


@pytest.mark.long
@pytest.mark.parametrize("game", [PUYO, TSU], ids=["puyo", "tsu"])
def test_the_other_side_on_the_cartridge(game: Game) -> None:
    seen: Seen = []
    with open_console(None, game.open_rom(None), game) as console:
        sides = [Contestant(str(n), Noting(player_of(game, seed=n), n, seen), 10) for n in (1, 2)]
        battle = Battle(
            console,
            game,
            (sides[0], sides[1]),
            rules=rules_of(game),
            maps=maps_of(game, "versus"),
            seed=3,
            options={"colors": 4},
            max_pieces=60,
        )
        battle.run(1)
    assert battle.result.agreement == 1
    check(seen, 5)
    frames = [snapshot.frame for _, snapshot in seen]
    assert frames == sorted(frames)
    assert frames[0] < 60


@pytest.mark.parametrize("cartridge", [FAMICOM, MEGADRIVE], ids=["famicom", "megadrive"])
def test_the_other_side_in_a_simulated_match(cartridge: Any) -> None:
    seen: Seen = []
    game = PUYO if cartridge is FAMICOM else TSU
    rules = load_rules(cartridge.rules)
    players = Noting(player_of(game, seed=1), 1, seen), Noting(player_of(game, seed=2), 2, seen)
    deal = Deal(77, 1 if cartridge is FAMICOM else 3, 4, source=cartridge.source)
    play_match(deal, players, rules=rules, max_pieces=60, cartridge=cartridge)
    check(seen, 5)
    shown = {len(snapshot.foreseen) for _, snapshot in seen}
    assert shown == ({0} if cartridge is FAMICOM else {1})


class Watched:
    """A fake seat: the red of the pair RB lies beside three reds. Its lock makes a chain of two, worth 360 points."""

    def __init__(self, *, offset: bool, waiting: int) -> None:
        rules = load_rules("tsu")
        self.rules = replace(rules, nuisance=replace(rules.nuisance, offset=offset, margin=None))
        self.waiting, self.locked = waiting, False
        # four reds pop (40 points); blue and three greens fall, and four greens pop (4 x 10 x 8 points)
        field = Field.parse(".GGG..\n.RRRG.")
        self.shown = Snapshot(field, Pair.parse("RB"), Pair.parse("YY"), 0, self.rules.spawn)

    def plain(self) -> Snapshot:
        return self.shown

    def falling(self) -> bool:
        return not self.locked

    def pair_state(self) -> PairState:
        return PairState(1, 13, Orientation.UP)

    def has_locked(self) -> bool:
        return self.locked

    def pending(self) -> int:
        return self.waiting


@pytest.mark.parametrize(
    ("offset", "waiting", "shown"),
    [(True, 3, (0, 2)), (True, 9, (4, 0)), (False, 3, (3, 5))],
    ids=["takes all that waits", "takes a part", "no offset"],
)
def test_a_chain_under_way_is_counted_against_what_waits(offset: bool, waiting: int, shown: tuple[int, int]) -> None:
    """360 points make five nuisance, at 70 points each. No other test checks ``waiting`` and ``coming``."""
    seat = Watched(offset=offset, waiting=waiting)
    watch = Watch(seat)
    watch.saw(spawned=True)
    assert (watch.rival().waiting, watch.rival().coming, watch.rival().frames) == (waiting, 0, 0)
    watch.saw(spawned=False)
    seat.locked = True
    watch.saw(spawned=False)
    rival = watch.rival()
    assert (rival.waiting, rival.coming) == shown
    assert str(rival.field).split()[-1] == "B....."
    frames = rival.frames
    assert frames > 0
    watch.saw(spawned=False)
    assert watch.rival().frames == frames - 1
    for _ in range(frames):
        watch.saw(spawned=False)
    # the chain has ended, so RAM now shows what was sent
    assert (watch.rival().waiting, watch.rival().coming, watch.rival().frames) == (waiting, 0, 0)
