"""The player for matches: when it attacks, answers or goes on building; and it plays the same match twice alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.lab.match import play_match
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.nuisance import Tray, drop_nuisance
from ochibot.puyo.rules.pair import BIG, Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.search.versus.config import load_versus_player
from ochibot.puyo.search.versus.player import VersusPlayer
from ochibot.puyo.sim.match import Deal
from ochibot.puyo.sim.megadrive import FAMICOM as FAMICOM_CARTRIDGE

CONFIG = load_versus_player(data_path("configs/players/versus.yaml"))
TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")
STAIRS = Field.parse("""
    .GBY..
    .RGBY.
    .RGBY.
    .RGBY.
""")
"""An R on the first column sets off a chain of four steps, which sends 32 nuisance."""
R, G, B, Y = 1, 2, 3, 4
EMPTY = Field.empty()


def only(column: int) -> Callable[[Placement], bool]:
    """Hands that reach this column alone."""
    return lambda placement: placement.x == column


def seen(field: Field, pair: Pair, rules: Rules, rival: Rival, waiting: int = 0) -> Snapshot:
    return Snapshot(field, pair, Pair(B, Y), 0, rules.spawn, colors=4, rival=rival, waiting=waiting)


def best_score(field: Field, pair: Pair, rules: Rules) -> int:
    return max(place(field, pair, lock, rules).score for lock in lock_positions(field, pair, rules))


def player(rules: Rules, **fighting: float) -> VersusPlayer:
    config = CONFIG.model_copy(update={"fighting": CONFIG.fighting.model_copy(update=fighting)})
    return VersusPlayer(config, rules, 1, nodes=1000)


def low(pairs: int = 2) -> Rival:
    """A rival with an empty field. ``pairs``: how many of its pairs are shown."""
    return Rival(EMPTY, (Pair(R, G), Pair(B, Y))[:pairs])


def high(rules: Rules) -> Rival:
    """A rival whose field is nearly full, and that can clear nothing."""
    rows = rules.visible_rows - 2
    return Rival(Field.parse("\n".join(["GYGYGY", "YGYGYG"][at % 2] for at in range(rows))), (Pair(R, B), Pair(B, R)))


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
def test_it_kills_a_rival_that_can_not_answer(rules: Rules) -> None:
    mind, pair = player(rules), Pair(R, R)
    snapshot = seen(STAIRS, pair, rules, high(rules))
    position = mind.position(snapshot)
    assert position is not None
    assert mind.plan(position).why == "kill"
    decision = mind.choose(snapshot)
    assert decision is not None
    assert decision.outcome.score // rules.nuisance.points_each >= 6 * 2


def test_what_cannot_fall_at_once_is_not_waited_for_where_it_would_be_lost() -> None:
    """On the Famicom, at most 30 puyos fall and the rest is lost: the player attacks as soon as a chain makes 30."""
    pair = Pair(R, R)
    assert best_score(STAIRS, pair, FAMICOM) // 70 > 30
    mind = player(FAMICOM)
    position = mind.position(seen(STAIRS, pair, FAMICOM, low()))
    assert position is not None
    assert mind.plan(position).why == "attack"


@pytest.mark.parametrize(("deadly", "why"), [(29, "kill"), (30, "kill"), (31, "attack")])
def test_an_attack_kills_only_if_all_of_it_can_fall_at_once(deadly: int, why: str) -> None:
    """The chain sends more than 31 puyos, but at most 30 fall and the rest is lost: if 31 are deadly, it can't kill."""
    room = FAMICOM.visible_rows * 6
    mind = player(FAMICOM, kill=deadly / room)
    position = mind.position(seen(STAIRS, Pair(R, R), FAMICOM, low()))
    assert position is not None
    assert mind.plan(position).why == why


def test_it_offsets_what_is_due() -> None:
    mind, pair = player(TSU), Pair(R, R)
    due = best_score(STAIRS, pair, TSU) // 70
    assert due >= 12
    decision = mind.choose(seen(STAIRS, pair, TSU, low(), waiting=due))
    assert decision is not None
    tray, sent = Tray(due).after_chain(decision.outcome.score, False, TSU)
    assert (tray.waiting, sent) == (0, 0)


def test_it_fires_before_it_is_buried() -> None:
    """On the Famicom, which has no offset, five rows of nuisance fall with this lock and bury the trigger."""
    pair = Pair(R, R)
    mind = player(FAMICOM, worth=1000)  # with a lower ``worth``, it would attack anyway
    rival = Rival(EMPTY, (Pair(R, G), Pair(B, Y)))
    few = mind.position(seen(STAIRS, pair, FAMICOM, rival))
    many = mind.position(seen(STAIRS, pair, FAMICOM, rival, waiting=30))
    assert few is not None
    assert many is not None
    assert mind.plan(many).why == "before it is buried"
    made = mind.choose(many.snapshot)
    assert made is not None
    assert made.outcome.chain > 1


def test_it_fires_at_the_last_chance_before_it_is_buried() -> None:
    """The nuisance falls with the next lock, and the next pair sets off no chain. The player used to keep its chain."""
    three_steps = Field.parse(".GB...\n.RGB..\n.RGB..\n.RGB..")
    mind = player(FAMICOM, worth=1000, press=10)  # with lower limits, it would attack anyway
    rival = Rival(EMPTY, (Pair(R, G), Pair(B, Y)), coming=30, frames=80)
    position = mind.position(seen(three_steps, Pair(R, R), FAMICOM, rival))
    assert position is not None
    assert (position.due, position.later) == (0, 30)
    assert mind.plan(position).why == "before it is buried"


def test_it_does_not_count_on_the_next_pair_where_what_is_due_buries_its_trigger() -> None:
    """The player used to prepare an attack with the next pair although nuisance would bury the trigger before that."""
    mind = player(FAMICOM, heavy=100)
    free, due = (
        mind.position(
            Snapshot(STAIRS, Pair(G, Y), Pair(R, R), 0, FAMICOM.spawn, colors=4, rival=low(), waiting=waiting)
        )
        for waiting in (0, 24)
    )
    assert free is not None
    assert due is not None
    assert mind.plan(free).why == "the next pair attacks"
    assert mind.plan(due).why == "build"


def test_it_counts_on_the_next_pair_where_what_falls_before_leaves_its_trigger() -> None:
    """RR on the first column still touches the R beside it when up to two rows of nuisance have fallen. The player used
    to give up the attack with the next pair because of a single nuisance puyo.
    """
    mind = player(FAMICOM, heavy=100)
    whys = []
    for waiting in (1, 5, 12):
        snapshot = Snapshot(STAIRS, Pair(G, Y), Pair(R, R), 0, FAMICOM.spawn, colors=4, rival=low(), waiting=waiting)
        position = mind.position(snapshot)
        assert position is not None
        whys.append(mind.plan(position).why)
    assert whys == ["the next pair attacks"] * 3


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
def test_it_builds_no_more_than_one_batch_where_the_rest_is_lost(rules: Rules) -> None:
    """On the Famicom, the player's aim is a chain for 30 nuisance puyos of 70 points each, or fewer if they kill."""
    mind = player(rules)
    aims = []
    for rival in (low(), high(rules), replace(high(rules), waiting=200)):
        position = mind.position(seen(STAIRS, Pair(G, Y), rules, rival))
        assert position is not None
        aims.append(mind.aim(position) / CONFIG.racing.surplus)
    if rules is TSU:
        assert aims == [float("inf")] * 3
    else:
        # 12: two rows are free in the rival's third column; 6: the least amount that ``aim`` counts as deadly
        assert aims == pytest.approx([30 * 70, 12 * 70, 6 * 70])


def test_it_waits_for_a_larger_chain_while_the_attack_is_far_away() -> None:
    """The rival's chain runs for ten seconds more, and the next pair sets off a larger chain than this one can."""
    mind = player(TSU)
    far = Rival(EMPTY, (Pair(B, B),), coming=60, frames=600)
    snapshot = Snapshot(STAIRS, Pair(G, Y), Pair(R, R), 0, TSU.spawn, colors=4, rival=far)
    position = mind.position(snapshot)
    assert position is not None
    assert position.due == 0
    assert position.later == 60
    assert mind.plan(position).why == "counter in time"
    decision = mind.choose(snapshot)
    assert decision is not None
    assert decision.outcome.score == 0
    assert best_score(decision.outcome.field, Pair(R, R), TSU) >= best_score(STAIRS, Pair(R, R), TSU)
    soon = replace(far, frames=49)
    now = mind.choose(replace(snapshot, pair=Pair(R, R), next_pair=Pair(G, Y), rival=soon))
    assert now is not None
    assert now.outcome.score == best_score(STAIRS, Pair(R, R), TSU)
    near = mind.position(replace(snapshot, pair=Pair(R, R), rival=replace(far, frames=10)))
    assert near is not None
    assert near.due == 60
    assert mind.plan(near).why == "offset what it can"


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
def test_it_takes_no_lock_after_which_what_is_due_kills_it(rules: Rules) -> None:
    """The third column has room for the nuisance, but not for the pair as well."""
    rows = rules.visible_rows - 1 - 5  # if five rows of nuisance fall, the spawn cell just stays free
    text = "\n".join(["G.YBGY", "YGGYBG", "GBYGYB", "BYGYGY"][at % 4] for at in range(rows))
    field = Field.parse(text.replace(".", "B", 1))
    mind = player(rules)
    for pair in (Pair(R, 5), Pair(5, R), Pair(R, R)):
        snapshot = seen(field, pair, rules, low(), waiting=30)
        locks = lock_positions(field, pair, rules)

        def dead(lock: object, pair: Pair = pair, field: Field = field) -> bool:
            after = place(field, pair, lock, rules).field  # type: ignore[arg-type]
            under = drop_nuisance(after, 30, (3, 1, 2, 4, 5, 6), rules)
            return bool(under.heights()[2] >= rules.visible_rows)

        assert any(dead(lock) for lock in locks)
        assert not all(dead(lock) for lock in locks)
        decision = mind.choose(snapshot)
        assert decision is not None
        assert not dead(decision.placement)


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
def test_a_node_budget_decides_the_same_again(rules: Rules) -> None:
    snapshot = seen(Field.parse("RGB...\nRGBY.."), Pair(R, G), rules, low())
    first = VersusPlayer(CONFIG, rules, 1, nodes=2000).choose(snapshot)
    mind = VersusPlayer(CONFIG, rules, 1, nodes=2000, threads=2)
    mind.choose(replace(snapshot, pair=Pair(B, B)))
    again = mind.choose(snapshot)
    assert first is not None
    assert again is not None
    assert (again.placement, again.value) == (first.placement, first.value)


def test_without_a_rival_it_plays_as_its_builder() -> None:
    snapshot = Snapshot(Field.parse("RGB..."), Pair(R, G), Pair(B, Y), 0, TSU.spawn)
    assert player(TSU).choose(snapshot) is not None


def test_items_and_floating_fields_are_answered() -> None:
    mind = player(FAMICOM)
    for field, pair in ((EMPTY, Pair(BIG, BIG)), (Field.parse("R.....\n......"), Pair(R, G))):
        assert mind.choose(seen(field, pair, FAMICOM, low(0))) is not None


def test_matches_are_won_and_played_again_alike() -> None:
    """It plays two deals from both sides against the article's player, then one of these matches again."""
    article = TwoPly(load_player(data_path("configs/players/article.yaml")), FAMICOM, 2, 1)
    wins, records = 0, []
    for frame in (700, 900):
        for seat in (1, 2):
            mind = VersusPlayer(CONFIG, FAMICOM, 1, nodes=1500)
            seated = (mind, article) if seat == 1 else (article, mind)
            played = play_match(
                Deal.at(frame, 1, 5), seated, rules=FAMICOM, max_pieces=300, cartridge=FAMICOM_CARTRIDGE
            )
            wins += played.loser == 3 - seat
            records.append(played)
    assert wins >= 3
    mind = VersusPlayer(CONFIG, FAMICOM, 1, nodes=1500)
    again = play_match(Deal.at(700, 1, 5), (mind, article), rules=FAMICOM, max_pieces=300, cartridge=FAMICOM_CARTRIDGE)
    assert again == records[0]


def test_a_builder_is_a_shipped_player(tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "mine.yaml"
    text = data_path("configs/players/versus.yaml").read_text(encoding="utf-8")
    file.write_text(text.replace("builder: chain", "builder: ../x"), encoding="utf-8")
    with pytest.raises(ConfigError, match="is no name of a shipped player"):
        load_versus_player(file)


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
def test_slow_hands_attack_and_build_where_they_reach(rules: Rules) -> None:
    """The chain of STAIRS is set off on the first column. With hands that reach only one column, it locks there."""
    mind = player(rules)
    for rival in (low(), high(rules)):
        snapshot = seen(STAIRS, Pair(R, R), rules, rival)
        free = mind.choose(snapshot)
        assert free is not None
        same = mind.choose(replace(snapshot, hands=lambda _: True))
        assert same is not None
        assert same.placement == free.placement
        for column in range(1, 7):
            decision = mind.choose(replace(snapshot, hands=only(column)))
            assert decision is not None
            assert decision.placement.x == column
