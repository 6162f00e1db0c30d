"""What a video shows of an AI in each frame is compared with a naive count over the events of a random record."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import GameError, VideoError
from ochibot.overlay.standing import NO_CELLS
from ochibot.record import Decided
from ochibot.record.events import Jump, Locked
from ochibot.record.manifest import PlayerInfo
from ochibot.record.video import story as module
from ochibot.record.video.story import Story, judge_of, stories

from tests.titles import NYAA, PUYO, RULES, load_seat_map, rules_of

Event = Decided | Locked | Jump
FIRST = PlayerInfo(name="nobody", seat=1, speed=3)
SECOND = PlayerInfo(name="somebody", seat=2, clairvoyant=True)


class Looked:
    """A look that shows a decision by the number of its piece."""

    def in_words(self, decision: Decided) -> list[tuple[str, str]]:
        return [("piece", str(decision.piece))]

    def planned(self, snapshot: str, decision: Decided) -> frozenset[tuple[int, int, int]]:
        assert snapshot == f"before {decision.piece}"
        return frozenset({(1, decision.piece, 3)})


class Seat:
    """A seat that shows what a test sets."""

    best = "chain"
    number = 1
    look = Looked()

    def __init__(self) -> None:
        self.ended = self.menus = self.locked = False

    def over(self) -> bool:
        return self.ended

    def in_menus(self) -> bool:
        return self.menus

    def has_locked(self) -> bool:
        return self.locked

    def score(self) -> int:
        return 1234

    def counter(self, name: str) -> None:
        assert name == "chain"


def decided(frame: int, piece: int, chain: int, seat: int = 1) -> Decided:
    return Decided(frame, seat, piece, "", "RG", "RG", 1, 1, 0, piece / 2, chain, 0)


def locked(frame: int, piece: int, difference: str | None = None, seat: int = 1) -> Locked:
    return Locked(frame, seat, piece, "", 0, 1, difference)


def story(events: list[Event], command: str = "play", number: int = 1) -> tuple[Story, Seat]:
    """The story of a record with these events, and its seat. The first of two segments ends with frame 10."""
    parts = ([one for one in events if one.frame <= 10], [one for one in events if one.frame > 10])
    segments = [
        SimpleNamespace(
            events=[one for one in part if not isinstance(one, Jump)],
            jumps=[one for one in part if isinstance(one, Jump)],
        )
        for part in parts
    ]
    record: Any = SimpleNamespace(
        segments=lambda: iter(segments), manifest=SimpleNamespace(about=SimpleNamespace(command=command))
    )
    family = SimpleNamespace(name="puyo", recall=lambda decision, _: (f"before {decision.piece}", decision))
    game: Any = SimpleNamespace(family=family)
    seat: Any = Seat()
    players = {1: FIRST, 2: SECOND} if command == "battle" else {1: FIRST}
    return Story(record, game, RULES, players, number, seat), seat


def drawn(choose: st.DataObject) -> list[Event]:
    """Decisions, locks and jumps on rising frames. Some locks contradict their prediction, some are another seat's."""
    events: list[Event] = []
    for number in range(choose.draw(st.integers(0, 14))):
        frame = 1 + 2 * number
        match choose.draw(st.sampled_from(["decided", "locked", "differs", "reset", "load", "poke", "other"])):
            case "decided":
                events.append(decided(frame, number, choose.draw(st.integers(0, 5))))
            case "locked":
                events.append(locked(frame, number))
            case "differs":
                events.append(locked(frame, number, "the score"))
            case "other":
                events.append(locked(frame, number, None, seat=2))
            case kind:
                events.append(Jump(frame, kind))  # type: ignore[arg-type]
    return events


@given(st.data(), st.sampled_from(["play", "battle"]))
def test_pieces_best_chain_and_plan_are_those_of_a_naive_count(choose: st.DataObject, command: str) -> None:
    events = drawn(choose)
    told, _ = story(events, command)
    for frame in range(1, 32, choose.draw(st.integers(1, 3))):
        # the events up to this frame; a jump counts from the next frame on: it happens after its frame has been shown
        come = [one for one in events if (one.frame < frame if isinstance(one, Jump) else one.frame <= frame)]
        come = [one for one in come if isinstance(one, Jump) or one.seat == 1]
        resets = [at for at, one in enumerate(come) if isinstance(one, Jump) and one.kind == "reset"]
        game = come[resets[-1] + 1 :] if resets else come
        pieces = best = 0
        last: Decided | None = None
        for one in game:
            if isinstance(one, Jump):
                last = last if one.kind == "poke" else None
            elif isinstance(one, Locked):
                pieces += 1
                if last is not None and one.difference is None:
                    best = max(best, last.chain)
                last = None
            else:
                last = one
        # the plan stays visible after its lock, until the next plan, a reset or a load
        planned: Decided | None = None
        for one in come:
            if isinstance(one, Decided):
                planned = one
            elif isinstance(one, Jump) and one.kind != "poke":
                planned = None
        shown = told.at(frame).standing
        assert (shown.pieces, shown.best, shown.best_of, shown.score) == (pieces, best, "chain", 1234)
        swapped = command == "battle" and len(resets) % 2 == 0 and len(resets) > 0
        assert shown.title == (("somebody", "clairvoyant") if swapped else ("nobody", "speed 3"))
        assert shown.cells == (NO_CELLS if last is None else {(1, last.piece, 3)})
        if planned is None:
            assert shown.plan is None
        else:
            assert shown.plan is not None
            assert (shown.plan.words, shown.plan.value) == ((("piece", str(planned.piece)),), planned.piece / 2)
            assert shown.plan.judgement is None


def test_a_lock_and_the_next_decision_of_one_frame_count_in_that_order() -> None:
    """The lock counts first, whatever their order in the log. A jump counts before a decision of the next frame."""
    told, _ = story([decided(1, 0, 4), decided(5, 1, 2), locked(5, 0)])
    assert told.at(4).standing.best == 0
    shown = told.at(5).standing
    assert (shown.pieces, shown.best, shown.cells) == (1, 4, frozenset({(1, 1, 3)}))
    told, _ = story([decided(4, 0, 1), decided(6, 1, 1), Jump(5, "load")])
    assert told.at(5).standing.cells == {(1, 0, 3)}, "the frame of the jump itself was shown before it"
    assert told.at(6).standing.cells == {(1, 1, 3)}


def test_in_menus_and_after_the_end_no_plan_is_shown_and_after_the_lock_no_ghost() -> None:
    events: list[Event] = [decided(1, 0, 3)]
    for name in ("menus", "ended", "locked"):
        told, seat = story(events)
        setattr(seat, name, True)
        shown = told.at(2).standing
        assert shown.cells == NO_CELLS
        assert (shown.plan is None) == (name != "locked")
        assert shown.call == ("3-chain!" if name == "locked" else "")
    told, _ = story(events)
    side = told.at(2)
    assert (side.seat, side.standing.call) == (1, "")


def test_a_call_is_that_of_the_present_decision() -> None:
    told, seat = story([decided(1, 0, 3), locked(3, 0)])
    seat.locked = True
    assert told.at(2).standing.call == "3-chain!"
    assert told.at(4).standing.call == ""


def test_shipped_players_judge_and_no_others() -> None:
    article = PlayerInfo(name="article", seat=1)
    assert judge_of(PUYO, RULES, article) is not None
    assert judge_of(NYAA, rules_of(NYAA), article) is None, "of the other family"
    assert judge_of(PUYO, RULES, FIRST) is None
    assert judge_of(PUYO, RULES, PlayerInfo(name="clairvoyant", seat=1)) is None, "it needs what comes"


def record_of(monkeypatch: pytest.MonkeyPatch, players: tuple[PlayerInfo, ...]) -> Any:
    monkeypatch.setattr(module, "own_title", lambda *_: (PUYO, RULES))
    about = SimpleNamespace(maps=(load_seat_map("player1"),), players=players, command="play", game="puyo")
    return SimpleNamespace(manifest=SimpleNamespace(about=about), path=Path("run"), segments=lambda: iter(()))


def test_there_is_a_story_for_each_seat_with_a_player_and_a_map(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.fakegame import FakeGame

    ram = FakeGame().ram
    found = stories(record_of(monkeypatch, (FIRST, SECOND)), ram)
    assert [(one.seat.number, one.game) for one in found] == [(1, PUYO)]
    with pytest.raises(VideoError, match="shows no AI"):
        stories(record_of(monkeypatch, (SECOND,)), ram)
    record = record_of(monkeypatch, (FIRST,))

    def refuse(*_: object) -> None:
        raise GameError("the map is for something else")

    refusing = SimpleNamespace(family=PUYO.family, seat=refuse)
    monkeypatch.setattr(module, "own_title", lambda *_: (refusing, RULES))
    with pytest.raises(VideoError, match="run: the map is for something else; make the video without --overlay"):
        stories(record, ram)
