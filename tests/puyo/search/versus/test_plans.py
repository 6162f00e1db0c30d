"""Which plan a position calls for, on both sides of every limit. The positions are made by hand, without a search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ochibot.data import data_path
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.chain.search import SEEN
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.placements import known_pairs
from ochibot.puyo.search.versus.config import load_versus_player
from ochibot.puyo.search.versus.outlook import Intent, Outlook, Position, Scout, ScoutedLock
from ochibot.puyo.search.versus.player import VersusPlayer

CONFIG = load_versus_player(data_path("configs/players/versus.yaml"))
TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")
EMPTY, EACH = Field.empty(), 70
ROOM = 6 * 12
"""How much nuisance fills the 12 rows of the third column of an empty field, since it falls on all six columns."""
NOTHING = Outlook((), 0, -1, 0)
TALL = Field.parse("..G...\n..Y...\n" * 5 + "..G...")
"""A field on which one more puyo in the third column ends the game, by Tsu's rules. ``TALLER`` is such a field for the
Famicom, which shows 13 rows.
"""
TALLER = Field.parse("..G...\n..Y...\n" * 6)

FIGHTING = {"reply": 0.5, "later_reply": 0.25, "kill": 1.0, "worth": 18, "press": 0.5, "crowded": 80, "heavy": 6,
            "harass": 0.5, "spare": 0.7}  # fmt: skip


def player(rules: Rules = TSU, **fighting: float) -> VersusPlayer:
    changed = CONFIG.fighting.model_copy(update={**FIGHTING, **fighting})
    return VersusPlayer(CONFIG.model_copy(update={"fighting": changed}), rules, 1)


def lock(root: int, nuisance: float = 0, worth: float = 0.0, field: Field = EMPTY) -> ScoutedLock:
    """A lock whose chain makes ``nuisance`` nuisance puyos."""
    return ScoutedLock(root, round(nuisance * EACH), worth, field)


def position(
    *locks: ScoutedLock,
    due: int = 0,
    later: int = 0,
    rival: Rival = Rival(EMPTY),  # noqa: B008 (frozen)
    field: Field = EMPTY,
    then: tuple[float, int] = (0, -1),
    reach: int = 0,
    other: Outlook = NOTHING,
) -> Position:
    """A position with these locks. ``then``: the nuisance that the next pair can make, and the lock before it."""
    snapshot = Snapshot(field, Pair(1, 2), Pair(3, 4), 0, TSU.spawn, colors=4, rival=rival)
    own = Outlook(locks, round(then[0] * EACH), then[1], reach)
    return Position(snapshot, rival, EACH, due, later, own, other, (1, 2, 3, 4))


def planned(mind: VersusPlayer, *locks: ScoutedLock, **said: Any) -> tuple[str, int | None]:
    plan = mind.plan(position(*locks, **said))
    return plan.why, plan.root


BUILD = ("build", None)


def test_with_nothing_to_set_off_it_builds() -> None:
    assert planned(player(), lock(3)) == BUILD
    assert Intent("build").root is None


@pytest.mark.parametrize(
    ("due", "later", "plan"), [(5, 0, BUILD), (6, 0, ("offset", 1)), (3, 2, BUILD), (3, 3, ("offset", 1))]
)
def test_it_answers_from_so_much_nuisance_on_due_or_on_its_way(due: int, later: int, plan: tuple[str, int]) -> None:
    assert planned(player(), lock(0), lock(1, 6), due=due, later=later) == plan


def test_it_offsets_with_the_chain_that_leaves_the_best_field_of_those_that_cancel_all() -> None:
    locks = lock(1, 8, 1.0), lock(2, 20, 0.5), lock(3, 7.99, 9.0)
    assert planned(player(), *locks, due=8) == ("offset", 1)
    assert planned(player(), *locks, due=9) == ("offset", 2)


def test_it_counters_where_what_is_left_of_its_best_chain_is_deadly() -> None:
    for made, why in ((ROOM + 8, "counter"), (ROOM + 7.99, "offset")):
        assert planned(player(), lock(1, made), lock(2, 8), due=8)[0] == why
    # nuisance that waits above the rival lowers the deadly amount, and so does a ``kill`` below 1
    waiting = Rival(EMPTY, waiting=10)
    assert planned(player(), lock(1, ROOM - 2), due=8, rival=waiting)[0] == "counter"
    assert planned(player(), lock(1, ROOM - 3), due=8, rival=waiting)[0] == "offset"
    assert planned(player(kill=0.5), lock(1, ROOM / 2 + 8), due=8)[0] == "counter"


def test_while_the_rivals_chain_runs_it_counters_in_time() -> None:
    rival = Rival(EMPTY, coming=20, frames=97)
    assert planned(player(), lock(0), lock(1, 7), later=20, rival=rival) == ("counter in time", None)
    assert planned(player(), lock(0), later=20, rival=rival) == ("counter in time", None)
    # while nuisance is due already, the player doesn't wait
    assert planned(player(), lock(0), lock(1, 7), due=1, later=20, rival=rival)[0] == "offset what it can"


def test_a_running_chain_is_answered_at_once_with_one_that_kills() -> None:
    rival = Rival(EMPTY, coming=20, frames=9999)
    for made, why in ((ROOM + 20, "counter"), (ROOM + 19.9, "counter in time")):
        assert planned(player(), lock(1, made), later=20, rival=rival)[0] == why


def test_a_running_chain_is_cancelled_with_a_small_one_that_leaves_the_large_one() -> None:
    """The field has a chain of four steps in reach; after one of the locks it is still there."""
    stairs = Field.parse(".GBY..\n.RGBY.\n.RGBY.\n.RGBY.")
    (reach,) = Scout(CONFIG.builder, TSU).reach([stairs], (1, 2, 3, 4)).tolist()
    said = {"later": 8, "reach": reach, "rival": Rival(EMPTY, coming=8, frames=300)}
    assert planned(player(), lock(1, 20, 5.0), lock(2, 8, field=stairs), **said) == ("offset", 2)
    assert planned(player(), lock(1, 20, 5.0), lock(2, 7.9, field=stairs), **said)[0] == "counter in time"


def test_a_chain_too_small_to_help_is_kept_if_building_is_survived() -> None:
    for made, why in ((5.99, "build"), (6, "offset what it can")):
        assert planned(player(), lock(0), lock(1, made), due=20)[0] == why
    assert planned(player(heavy=30), lock(0), lock(1, 19.5), due=20, later=10)[0] == "build"
    # here the player survives no lock without a chain, and below it has no such lock
    assert planned(player(), lock(0, field=TALL), lock(1, 1), due=20) == ("offset what it can", 1)
    assert planned(player(), lock(1, 1), due=20) == ("offset what it can", 1)


def test_a_larger_chain_of_the_next_pair_comes_first_where_nothing_falls_before_it() -> None:
    locks = lock(0), lock(1, 7)
    mind = player(FAMICOM)
    assert planned(mind, *locks, later=20, then=(7.5, 0)) == ("a larger chain first", 0)
    for said in ({"then": (7, 0)}, {"then": (7.5, 4)}, {"then": (7.5, 0), "due": 1}):
        assert planned(mind, *locks, **{"later": 20, **said})[0] != "a larger chain first"


def test_a_lock_counts_only_if_what_falls_after_it_is_survived() -> None:
    for made, plan in ((1, ("attack", 1)), (0.99, BUILD)):
        assert planned(player(worth=0), lock(1, made, field=TALL), due=1) == plan
    # the Famicom has no offset: the chain doesn't cancel the nuisance that falls after the lock
    assert planned(player(FAMICOM, worth=0), lock(1, 5, field=TALLER), due=1) == BUILD
    assert planned(player(FAMICOM, worth=0), lock(1, 5, field=TALLER)) == ("attack", 1)


def test_what_is_on_its_way_falls_after_a_chain_that_takes_as_long() -> None:
    scout = Scout(CONFIG.builder, FAMICOM)
    takes = scout.frames(5 * EACH)
    for frames, plan in ((takes - 30, BUILD), (takes, BUILD), (takes + 1, ("attack", 1))):
        rival = Rival(EMPTY, coming=1, frames=frames)
        assert planned(player(FAMICOM, worth=0), lock(1, 5, field=TALLER), later=1, rival=rival) == plan


def test_how_long_chains_take() -> None:
    """A piece takes 48 frames and each step 38. A chain has the fewest points with one group of four in each step."""
    for rules in (TSU, FAMICOM):
        scout, least = Scout(CONFIG.builder, rules), 0
        assert scout.frames(0) == 48
        for step in range(1, 20):
            least += rules.step_score(step, [4], 1)
            assert scout.frames(least) == 48 + 38 * step
            assert scout.frames(least - 1) == 48 + 38 * (step - 1)


def test_it_kills_from_the_nuisance_on_that_the_rival_can_not_cancel() -> None:
    mind = player()
    for made, why in ((ROOM, "kill"), (ROOM - 1, "attack")):
        assert planned(mind, lock(1, made))[0] == why
    sure, unseen = Outlook((lock(0, 10),), 0, -1, 0), Outlook((), 10 * EACH, -1, 20 * EACH)
    for other in (sure, unseen, replace(unseen, later=0), replace(unseen, reach=0)):
        assert planned(mind, lock(1, ROOM + 5), other=other)[0] == "kill"
        assert planned(mind, lock(1, ROOM + 4.99), other=other)[0] == "attack"
        # the rival can't begin another chain while one of its own runs, if that lasts as long as the player's
        takes = Scout(CONFIG.builder, TSU).frames(ROOM * EACH)
        for frames, why in ((takes, "kill"), (takes - 1, "attack")):
            assert planned(mind, lock(1, ROOM), other=other, rival=Rival(EMPTY, frames=frames))[0] == why
        assert planned(player(FAMICOM, kill=0.375), lock(1, 29), other=other)[0] == "kill"


def test_the_rival_goes_on_building_while_a_chain_runs() -> None:
    """The rival's chain grows with each placement that it makes meanwhile, as far as its field has room."""
    scout, attack = Scout(CONFIG.builder, TSU), ROOM + 60
    other = Outlook((), 0, -1, 60 * EACH)
    low, full = Rival(EMPTY), Rival(Field.parse("RGRGRG\n" * 11 + "RG...."))
    still = player(later_reply=1, kill=0)
    assert planned(still, lock(1, attack), other=other, rival=low)[0] == "kill"
    growing = player(later_reply=1, kill=0, growth=1)
    grown = scout.grown(60 * EACH, scout.frames(attack * EACH) // 36 - SEEN) / EACH
    assert grown > attack
    assert planned(growing, lock(1, attack), other=other, rival=low)[0] != "kill"
    assert planned(growing, lock(1, attack), other=other, rival=full)[0] == "kill"


def test_the_rivals_puyos_count_for_a_chain_that_it_does_not_show() -> None:
    puyos = Field.parse("RGRGRG\nGRGRGR\n" * 5)
    stones = Field.parse("oooooo\n" * 10)
    for rival, per_step, why in ((puyos, 0, "kill"), (puyos, 5, "build"), (puyos, 30, "kill"), (stones, 5, "kill")):
        mind = player(per_step=per_step, press=1, worth=500)
        assert planned(mind, lock(1, ROOM), rival=Rival(rival))[0] == why


def test_a_chain_grows_by_steps() -> None:
    scout = Scout(CONFIG.builder, TSU)
    least = [sum(TSU.step_score(step, [4], 1) for step in range(1, steps + 1)) for steps in range(12)]
    for steps, points in enumerate(least):
        assert scout.steps(points) == steps
        assert scout.grown(points, 0) == points
        assert scout.grown(points + 7, 2) == pytest.approx(
            points + 7 + sum(TSU.step_score(steps + more, [4], 1) for more in (1, 2))
        )
        assert scout.grown(0, steps + 0.5) == pytest.approx(points + TSU.step_score(steps + 1, [4], 1) / 2)
    assert scout.grown(5, 500) == scout.grown(5, 400) > least[-1]


def test_of_deadly_chains_it_takes_that_with_the_best_field() -> None:
    assert planned(player(), lock(1, ROOM + 9, 1.0), lock(2, ROOM, 2.0), lock(3, 1, 3.0)) == ("kill", 2)
    assert planned(player(), lock(1, 40, 1.0), lock(2, 20, 2.0), lock(3, 17, 3.0)) == ("attack", 2)


def test_it_attacks_from_so_much_on_or_from_a_share_of_what_is_deadly() -> None:
    for mind, least in (
        (player(), 18),
        (player(worth=1000), ROOM // 2),
        (player(press=0.125), 9),
        (player(FAMICOM, worth=1000, press=10), 30),  # at most 30 fall at once, and the rest is lost
    ):
        assert planned(mind, lock(1, least))[0] == "attack"
        assert planned(mind, lock(1, least - 0.01))[0] == "build"
    other = Outlook((), 10 * EACH, -1, 0)
    assert planned(player(), lock(1, 23), other=other)[0] == "attack"
    assert planned(player(), lock(1, 22.99), other=other)[0] == "build"


def test_what_is_due_is_cancelled_before_anything_is_sent() -> None:
    assert planned(player(heavy=100), lock(1, 23), due=3, later=2)[0] == "attack"
    assert planned(player(heavy=100), lock(1, 22.99), due=3, later=2)[0] == "build"
    assert planned(player(FAMICOM, heavy=100), lock(1, 18), due=3, later=2)[0] == "attack"


def test_the_next_pair_attacks_where_nothing_falls_before_it() -> None:
    assert planned(player(), lock(0), then=(18, 0)) == ("the next pair attacks", 0)
    for said in ({"then": (17.99, 0)}, {"then": (18, 4)}, {"then": (30, 0), "due": 1}):
        assert planned(player(), lock(0), **said) == BUILD


def test_it_makes_room_on_a_crowded_field_with_its_best_chain() -> None:
    field = Field.parse("RGBYRG\nGRYBGR")
    mind = player(crowded=12)
    locks = lock(1, 2, 1.0), lock(2, 2, 2.0), lock(3, 1, 3.0)
    assert planned(mind, *locks, field=field) == ("make room", 2)
    assert planned(mind, *locks, field=field, then=(2, 0)) == ("make room", 2)
    assert planned(mind, *locks, field=field, then=(2.1, 0)) == BUILD  # the next pair can make more nuisance
    assert planned(player(crowded=13), *locks, field=field) == BUILD
    assert planned(mind, lock(0), field=field) == BUILD
    # a chain that only cancels the nuisance due sends none
    assert planned(player(crowded=12), *locks, field=field, due=2) == BUILD
    assert planned(player(crowded=12), *locks, field=field, due=1) == ("make room", 2)


STAIRS = Field.parse("""
    .GBY..
    .RGBY.
    .RGBY.
    .RGBY.
""")
"""An R on the first column sets off four steps, unless three or more nuisance puyos lie in that column."""


def test_a_small_attack_buries_the_rivals_trigger_and_spares_its_own() -> None:
    mind, rival = player(worth=1000, press=10), Rival(STAIRS)
    theirs = mind._other.reach([STAIRS, mind._other.under(STAIRS, 24)], (1, 2, 3, 4)).tolist()
    assert theirs[1] < theirs[0] / 4
    seen = {"rival": rival, "other": Outlook((), 0, -1, theirs[0])}
    assert planned(mind, lock(1, 24), **seen) == ("harass", 1)
    assert planned(mind, lock(1, 24, 1.0), lock(2, 25, 2.0), lock(3, 1, 3.0), **seen) == ("harass", 2)
    assert planned(mind, lock(1, 30), **seen) == ("harass", 1)
    assert planned(mind, lock(1, 31), **seen) == BUILD
    assert planned(mind, lock(1, 1), **seen) == BUILD
    assert planned(mind, lock(1, 24), **{**seen, "other": NOTHING}) == BUILD
    assert planned(mind, lock(1, 24), **seen, reach=1) == BUILD  # the player would lose the chain that it has in reach
    assert planned(mind, lock(1, 24, field=STAIRS), **seen, field=STAIRS) == ("harass", 1)
    assert planned(mind, lock(1, 24), **seen, field=STAIRS) == BUILD


@pytest.mark.parametrize(("frames", "due", "later"), [(0, 7, 0), (48, 7, 0), (49, 2, 5), (600, 2, 5)])
def test_what_comes_within_a_piece_is_due(frames: int, due: int, later: int) -> None:
    rival = Rival(EMPTY, (Pair(1, 2),), coming=5, frames=frames)
    found = player().position(Snapshot(EMPTY, Pair(1, 2), Pair(3, 4), 0, TSU.spawn, rival=rival, waiting=2))
    assert found is not None
    assert (found.due, found.later, found.each) == (due, later, 70)
    assert len(found.own.locks) == 22


def test_where_the_rival_shows_nothing_nothing_is_expected_of_it() -> None:
    snapshot = Snapshot(EMPTY, Pair(1, 2), Pair(3, 4), 0, TSU.spawn)
    floating = Field.parse("R.....\n......")
    for rival in (Rival(floating, (Pair(1, 2),)), Rival(STAIRS)):
        found = player().position(replace(snapshot, rival=rival))
        assert found is not None
        assert found.other == NOTHING
    assert player().position(snapshot) is None
    for x, y in ((0, 2), (7, 2), (3, -1), (3, 14)):
        state = TSU.spawn._replace(x=x, y=y)
        assert player().position(replace(snapshot, rival=Rival(EMPTY), state=state)) is None


def test_what_a_side_can_do_at_best() -> None:
    assert NOTHING.best is None
    assert NOTHING.sure == 0
    outlook = Outlook((lock(0), lock(1, 3, 1.0), lock(2, 3, 2.0), lock(3, 2, 9.0)), 2 * EACH, 0, 0)
    assert outlook.best == outlook.locks[2]
    assert outlook.sure == 3 * EACH
    assert replace(outlook, later=4 * EACH).sure == 4 * EACH
    assert replace(outlook, locks=(lock(0),)).best is None


def test_a_scout_looks_at_no_field_and_counts_what_it_looks_at() -> None:
    scout = Scout(CONFIG.builder, TSU)
    assert scout.reach([], (1, 2)).tolist() == []
    assert scout.nodes == 0
    assert scout.free(Field.parse("..R...\n" * 14)) == 0, "above the spawn cell nothing is free"
    assert scout.deadly(EMPTY) == ROOM
    for count, heights in ((0, (0,) * 6), (1, (0, 0, 1, 0, 0, 0)), (5, (1, 1, 1, 1, 1, 0)), (90, (5,) * 6)):
        assert scout.under(EMPTY, count).heights() == heights
    looked = scout.look(EMPTY, TSU.spawn, [Pair(1, 2), Pair(3, 4)], (1, 2, 3, 4), 0b101)
    assert [one.root for one in looked.locks] in ([0, 2], [2, 0])
    assert scout.nodes > 2


def test_it_builds_where_it_lives() -> None:
    """The player takes the builder's decision, unless the nuisance due would end the game after that lock."""
    field = Field.parse("\n".join(["..Y...", "..G..."] * 4))
    mind = player(TSU, worth=1000, press=10, heavy=1000)
    for waiting in (0, 24, 12, 18):
        rival = Rival(EMPTY, (Pair(1, 2),))
        snapshot = Snapshot(field, Pair(5, 5), Pair(3, 4), 0, TSU.spawn, colors=5, rival=rival, waiting=waiting)
        found = mind.position(snapshot)
        assert found is not None
        living = [one.root for one in found.own.locks if mind._lives(found, one)]
        decision = mind.choose(snapshot)
        builder = mind._builder.choose(snapshot)
        assert decision is not None
        assert builder is not None
        if not living or mind._keeper.allows(sum(1 << root for root in living), builder.placement):
            assert decision.placement == builder.placement
        else:
            assert mind._keeper.allows(sum(1 << root for root in living), decision.placement)
        if waiting == 18:  # three rows of nuisance fit below the spawn cell, but not on top of a half of the pair
            assert 0 < len(living) < len(found.own.locks)


def test_it_plays_the_lock_of_its_plan() -> None:
    mind = player(TSU)
    snapshot = Snapshot(STAIRS, Pair(1, 2), Pair(3, 4), 0, TSU.spawn, colors=4, rival=Rival(EMPTY))
    for root in (0, 7, 21):
        made = mind._made(snapshot, root)
        assert made is not None
        assert (made.placement.x, made.placement.orientation) == lock_order()[root]
        assert made.value == made.outcome.score
    walls = Field.parse("R.RRRR\n" * 13)
    assert mind._made(replace(snapshot, field=walls), 21) is None


def test_its_builder_judges_and_has_its_kernels() -> None:
    mind = player(TSU)
    mind.prepare()
    snapshot = Snapshot(STAIRS, Pair(1, 1), Pair(3, 4), 0, TSU.spawn, colors=4, rival=Rival(EMPTY))
    decision = mind.choose(snapshot)
    assert decision is not None
    judged = mind.judge(snapshot, decision)
    assert judged == mind._builder.judge(snapshot, decision)
    assert judged.total == judged.chain + judged.stands
    assert mind.name == "versus"


def test_pairs_are_known_up_to_an_item_and_three_at_the_most() -> None:
    item, pair = Pair(9, 9), Pair(1, 2)
    for shown, known in (((pair,) * 5, 3), ((pair, item, pair), 1), ((item, pair), 0), ((), 0), ((pair, pair), 2)):
        assert len(known_pairs(shown, SEEN)) == known
