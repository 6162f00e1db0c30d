"""Tests that players play the same game when they think in the background. A pair for which no decision came in time
isn't compared with a prediction.
"""

from __future__ import annotations

import threading

import pytest
from ochibot.console import Button
from ochibot.data import data_path
from ochibot.errors import FieldError
from ochibot.falling.player import AnyPlayer
from ochibot.play.background import ThinkingPlayer
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo import Snapshot
from ochibot.puyo.search import Decision, Evaluation, TwoPly
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.player import ChainPlayer

from tests import titles as game
from tests.fakegame import FakeGame
from tests.play.punctual import PATIENCE, PunctualPlayer
from tests.play.test_seat import play, sit_down
from tests.puyo import FAMICOM
from tests.titles import find_player, open_console, open_rom


class Waits:
    """A thinker whose ``done`` is False for the first ``looks`` calls, of which there is one a frame. It uses no clock,
    so the test runs the same on every machine.
    """

    def __init__(self, player: AnyPlayer, looks: int) -> None:
        self.player = player
        self.looks = looks
        self.asked: list[Snapshot] = []
        self._left = 0

    def choose(self, _: Snapshot) -> Decision | None:
        raise AssertionError("a thinker is asked, not waited for")

    def ask(self, snapshot: Snapshot) -> None:
        self.asked.append(snapshot)
        self._left = self.looks

    def done(self) -> bool:
        self._left -= 1
        return self._left < 0

    def decision(self) -> Decision | None:
        decision: Decision | None = self.player.choose(self.asked[-1])
        return decision


@pytest.fixture(scope="module")
def article() -> TwoPly:
    return TwoPly(find_player("article"), FAMICOM)


def test_a_decision_some_frames_late_is_still_carried_out_and_predicted(article: TwoPly) -> None:
    for looks in (0, 1, 5, 11, 25):
        game_ = FakeGame()
        thinker = Waits(article, looks)
        player = sit_down(game_, thinker)
        frames = play(game_, player, 40)
        tally = player.tally
        assert (tally.pieces, tally.compared, tally.misplaced, tally.disagreements) == (40, 40, 0, 0), looks
        assert len(thinker.asked) == 41
        if looks == 0:
            at_once = frames
        assert frames == at_once or looks > 11, "within the spawn delay it costs nothing"


def test_a_player_that_builds_chains_thinks_in_the_background() -> None:
    """The player thinks in a thread, but PunctualPlayer's ``done`` waits for the decision, so speed plays no part."""
    config = load_chain_player(data_path("configs/players/chain.yaml"))
    ends = []
    for background in (False, True):
        chain = ChainPlayer(config, FAMICOM, 1, nodes=1000)
        brain = PunctualPlayer(chain) if background else None
        game_ = FakeGame()
        player = sit_down(game_, brain or chain)
        frames = play(game_, player, 20)
        tally = player.tally
        assert (tally.pieces, tally.compared, tally.misplaced, tally.disagreements) == (20, 20, 0, 0)
        ends.append(frames)
        if brain is not None:
            brain.close()
    assert ends[0] == ends[1]


def test_a_decision_that_never_comes_in_time_leaves_the_pairs_uncompared(article: TwoPly) -> None:
    game_ = FakeGame(drop_frames=2)
    player = sit_down(game_, Waits(article, 10_000))
    play(game_, player, 5)
    tally = player.tally
    assert (tally.pieces, tally.compared, tally.agreement) == (5, 0, 0.0)


def test_the_frame_loop_never_waits(article: TwoPly) -> None:
    gate = threading.Event()

    class Slow:
        def choose(self, snapshot: Snapshot) -> Decision | None:
            assert gate.wait(PATIENCE)
            return article.choose(snapshot)

        def judge(self, snapshot: Snapshot, decision: Decision) -> Evaluation:
            return article.judge(snapshot, decision)

    brain = ThinkingPlayer(Slow())
    game_ = FakeGame()
    player = sit_down(game_, brain)
    pads = []
    for _ in range(20):
        game_.step(Button.NONE)
        pads.append(player.frame())
    assert set(pads) == {Button.NONE}
    assert player.plan is None
    assert brain.last is None
    gate.set()
    brain.decision()  # waits until the thread has decided
    player.frame()
    assert player.plan is not None
    assert brain.last is not None
    assert brain.last.evaluation is not None
    brain.close()


def test_what_choosing_raises_arrives_in_the_loop() -> None:
    class Broken:
        def choose(self, _: Snapshot) -> Decision | None:
            raise FieldError("can't think")

    brain = ThinkingPlayer(Broken())
    game_ = FakeGame()
    with pytest.raises(FieldError, match="can't think"):
        play(game_, sit_down(game_, brain), 1)
    brain.close()


def test_thinking_in_the_background_plays_the_same_game(article: TwoPly) -> None:
    """In the real core, a decision made in a thread leads to the same RAM as one made in the frame loop."""
    ends = []
    for background in (False, True):
        brain = PunctualPlayer(TwoPly(article.config, FAMICOM)) if background else None
        with open_console(None, open_rom(None)) as console:
            seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
            game.reach(console, seat, "endless", {})
            hands = SeatPlayer(seat, brain or article, speed_of(10))
            run = Endless(console, hands, seed=0, speed=10)
            run.run(pieces=25)
            ends.append((run.result().ram_sha256, run.result().agreement))
        if brain is not None:
            brain.close()
    assert ends[0] == ends[1]
    assert ends[0][1] == 1.0


def test_after_a_jump_through_a_savestate_play_goes_on(article: TwoPly) -> None:
    with open_console(None, open_rom(None)) as console:
        seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {"level": 4})
        hands = SeatPlayer(seat, article, speed_of(8))
        state = b""
        frames = 0

        def jump(_: Button) -> None:
            nonlocal state, frames
            frames += 1
            if frames == 700:
                state = console.save()
            elif frames > 700 and frames % 211 == 0 and frames < 3000:
                hands.abandon()
                console.load(state)
                hands.rejoin()

        run = Endless(console, hands, seed=0, speed=8, on_frame=jump)
        run.run(frames=4000)
        tally = hands.tally
        assert tally.compared > 30
        assert tally.disagreements == tally.misplaced == 0
        assert tally.pieces - tally.compared <= 12


class Answers:
    """A player that always gives the same answer. ``judge`` returns ``judged``, or raises it if it is an exception."""

    foresees, watches = 5, True

    def __init__(self, answer: object, judged: object = None) -> None:
        self.answer, self.judged, self.asked = answer, judged, []  # type: ignore[var-annotated]

    def choose(self, snapshot: object) -> object:
        self.asked.append(snapshot)
        return self.answer

    def judge(self, snapshot: object, decision: object) -> object:
        assert decision is self.answer
        assert snapshot is self.asked[-1]
        if isinstance(self.judged, Exception):
            raise self.judged
        return self.judged


class Placed:
    """A decision that has only a placement."""

    placement = 3


def test_a_thought_has_its_judgement_where_there_is_one() -> None:
    class Bare:
        def choose(self, _: object) -> Placed:
            return Placed()

    for player, judged in (
        (Answers(Placed(), "fine"), "fine"),
        (Answers(Placed(), FieldError("floating")), None),
        (Answers(None, "fine"), None),
        (Answers((1, 2), "fine"), None),  # not a decision: it has no attribute ``placement``
        (Bare(), None),
    ):
        brain = ThinkingPlayer(player)
        assert brain.last is None
        decision = brain.choose("seen")
        assert brain.last is not None
        assert brain.last.decision is decision
        assert brain.last.evaluation == judged
        assert 0 <= brain.last.seconds < PATIENCE
        brain.ask("seen")
        assert brain.last is None, "the next is in progress"
        brain.close()
    brain = ThinkingPlayer(Answers(None))
    assert (brain.foresees, brain.watches) == (5, True)
    assert not brain.done(), "nothing was asked"
    other = ThinkingPlayer(Bare())
    assert (other.foresees, other.watches) == (0, False)
    for one in (brain, other):
        one.close()


def test_a_question_takes_the_place_of_one_that_has_not_begun() -> None:
    gate, begun = threading.Event(), threading.Event()

    class Slow(Answers):
        def choose(self, snapshot: object) -> object:
            self.asked.append(snapshot)
            begun.set()
            assert gate.wait(PATIENCE)
            return snapshot

    player = Slow(None)
    brain = ThinkingPlayer(player)
    brain.ask("first")
    assert begun.wait(PATIENCE)
    for question in ("second", "third"):
        brain.ask(question)
    assert not brain.done()
    gate.set()
    assert brain.decision() == "third"
    assert brain.done()
    assert player.asked == ["first", "third"]
    brain.close()
