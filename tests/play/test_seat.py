"""Tests of the pilot, the seat and the agreement on a fake game that can lag, lose presses or score wrongly."""

from __future__ import annotations

import pytest
from ochibot.console import Button
from ochibot.data import data_path
from ochibot.errors import ContradictionError, GameError, MapError, PlayerError, UsageError
from ochibot.play.agreement import Tally
from ochibot.play.seat import AnySeatPlayer, SeatPlayer
from ochibot.play.speed import SPEEDS, speed_of
from ochibot.puyo import Action, Field, Orientation, Pair, PairState, Placement, Snapshot, place
from ochibot.puyo.forecast import Prediction, Settled
from ochibot.puyo.search import Decision, TwoPly, load_player
from ochibot.ram import RamMap

from tests.fakegame import FakeGame
from tests.puyo import FAMICOM, SPAWN
from tests.titles import PUYO, RULES, TABLE, famicom_seat, load_seat_map


@pytest.fixture(scope="module")
def article() -> TwoPly:
    return TwoPly(load_player(data_path("configs/players/article.yaml")), FAMICOM)


def sit_down(
    game: FakeGame, player: object, speed: int = 10, ram_map: RamMap | None = None, **options: bool
) -> AnySeatPlayer:
    seat = famicom_seat(ram_map or load_seat_map("player1" if game.seat == 1 else "player2"), game.ram)
    sitting = SeatPlayer(seat, player, speed_of(speed), **options)  # type: ignore[arg-type]
    sitting.spawn()
    return sitting


def play(game: FakeGame, player: AnySeatPlayer, pieces: int) -> int:
    """Plays until this many pieces have locked. Returns the frames that this took."""
    pad, frames = Button.NONE, 0
    while player.tally.pieces < pieces and not player.game_over():
        game.step(*[Button.NONE] * (player.seat.number - 1), pad)
        pad = player.frame()
        frames += 1
        assert frames < 1000 * pieces
    return frames


@pytest.mark.parametrize(
    "awkward",
    [
        {},
        {"lag": 1},
        {"lag": 2},
        {"lost": 0.3},
        {"lag": 1, "lost": 0.2},
        {"drop_frames": 8},
        {"seat": 2, "colors": 5},
    ],
)
def test_every_pair_lands_where_it_was_meant_to(article: TwoPly, awkward: dict[str, float]) -> None:
    game = FakeGame(**awkward)  # type: ignore[arg-type]
    player = sit_down(game, article)
    play(game, player, 60)
    tally = player.tally
    assert (tally.pieces, tally.compared, tally.misplaced, tally.disagreements) == (60, 60, 0, 0)
    assert tally.agreement == 1.0
    assert game.locks == 60


def test_seat_2_plays_with_the_spawn_flag_masked(article: TwoPly) -> None:
    """Nothing is published about player 2 at address 004A, so the value there must have no effect."""
    game = FakeGame(seat=2)
    player = sit_down(game, article)
    pad = Button.NONE
    for frame in range(3000):
        game.ram[0x4A] = frame % 7 % 2
        game.step(Button.NONE, pad)
        pad = player.frame()
    assert player.tally.pieces == game.locks > 30
    assert player.tally.agreement == 1.0


@pytest.mark.long
def test_faster_steps_take_fewer_frames(article: TwoPly) -> None:
    took = []
    for step in range(len(SPEEDS)):
        game = FakeGame(seed=3, drop_frames=30)
        took.append(play(game, sit_down(game, article, step), 20))
    assert took == sorted(took, reverse=True)
    assert len(set(took)) == len(took)
    for wrong in (-1, 11):
        with pytest.raises(UsageError, match=f"no speed {wrong}"):
            speed_of(wrong)


class Stubborn:
    """A player that always wants the same placement, even if a pair can't reach it."""

    def __init__(self, placement: Placement) -> None:
        self.placement = placement

    def choose(self, snapshot: Snapshot) -> Decision | None:
        return Decision(self.placement, 0.0, place(snapshot.field, snapshot.pair, self.placement, FAMICOM), 1)


def test_a_pair_that_lands_elsewhere_is_misplaced_never_agreed() -> None:
    game = FakeGame(lost=1.0, drop_frames=4)
    player = sit_down(game, Stubborn(Placement(6, 13, Orientation.UP)), 5)
    play(game, player, 1)
    assert (player.tally.compared, player.tally.misplaced, player.tally.agreement) == (1, 1, 0.0)


def test_a_game_that_scores_otherwise_is_a_disagreement(article: TwoPly) -> None:
    game = FakeGame(wrong_score_at=5)
    with pytest.raises(GameError, match="differs from the rules at piece 5") as caught:
        play(game, sit_down(game, article), 20)
    assert "predicted" in str(caught.value)
    # the piece has been counted: ``abandon`` after the error counts no further piece
    game = FakeGame(wrong_score_at=5)
    player = sit_down(game, article)
    with pytest.raises(GameError, match="differs from the rules at piece 5"):
        play(game, player, 20)
    game.ram[0x705] = TABLE.phases.control + 1
    assert player.seat.has_locked()
    player.abandon()
    assert (player.tally.pieces, player.tally.cut_off) == (5, 0)
    game = FakeGame(wrong_score_at=5)
    player = sit_down(game, article, keep_going=True)
    play(game, player, 20)
    assert (player.tally.pieces, player.tally.disagreements) == (20, 1)
    assert player.tally.agreement == pytest.approx(19 / 20)


@pytest.mark.parametrize("seat", [1, 2])
def test_a_pair_that_has_not_settled_at_the_end_is_cut_off(article: TwoPly, seat: int) -> None:
    """Such a pair once counted as a lock: the report said "locks 12, compared 11, agreement 0.916666", though all locks
    agreed.
    """
    game = FakeGame(seat=seat)
    player = sit_down(game, article)
    play(game, player, 11)
    # RAM now says that the pair has locked and the field is settling
    game.ram[0x704 + seat] = TABLE.phases.control + 1
    assert player.seat.has_locked()
    player.abandon()
    player.abandon()
    tally = player.tally
    assert (tally.pieces, tally.compared, tally.cut_off, tally.agreement) == (11, 11, 1, 1.0)


def test_a_lock_before_a_hang_counts_against_the_agreement(article: TwoPly) -> None:
    game = FakeGame()
    player = sit_down(game, article)
    play(game, player, 3)
    player.abandon(locked=True)
    tally = player.tally
    assert (tally.pieces, tally.compared, tally.cut_off, tally.agreement) == (4, 3, 0, 0.75)


class Numbers:
    """A watcher that records the numbers of the pieces that are decided on."""

    def __init__(self) -> None:
        self.told: list[int] = []

    def decided(self, seat: int, piece: int, *_: object) -> None:
        assert seat == 1
        self.told.append(piece)

    def settled(self, seat: int, piece: int, *_: object) -> None:
        assert seat == 1
        assert piece == (self.told[-1] if self.told else 0)


def test_a_pair_that_is_cut_off_keeps_its_number(article: TwoPly) -> None:
    game, numbers = FakeGame(), Numbers()
    player = sit_down(game, article)
    player.watcher = numbers
    play(game, player, 2)
    game.ram[0x705] = TABLE.phases.control + 1
    player.abandon()
    game._write()
    player.rejoin()
    play(game, player, 4)
    assert numbers.told == [1, 2, 3, 4, 5]
    assert player.tally.agreement == 1.0


def test_after_a_jump_a_pair_that_is_announced_is_decided_on_once(article: TwoPly) -> None:
    """``rejoin`` decides on the pair. The seat then regards this pair's announcement as seen, so the next frame reports
    no spawn.
    """
    game, numbers = FakeGame(), Numbers()
    player = sit_down(game, article)
    player.watcher = numbers
    play(game, player, 2)
    while not player.seat.ready():
        game.step()
        player.frame()
    assert numbers.told == [1, 2]
    player.abandon()
    game._spawn()  # as in a savestate of the frame in which a pair appears
    player.rejoin()
    assert not player.seat.ready()
    assert numbers.told == [1, 2, 2]
    play(game, player, 3)
    assert numbers.told == [1, 2, 2, 3]
    assert (player.tally.pieces, player.tally.agreement) == (3, 1.0)


class Silent:
    """A player that finds a placement only every second time."""

    def __init__(self, player: TwoPly) -> None:
        self.player, self.asked = player, 0

    def choose(self, snapshot: Snapshot) -> Decision | None:
        self.asked += 1
        return self.player.choose(snapshot) if self.asked % 2 else None


def test_a_lock_without_a_prediction_is_counted_and_not_agreed(article: TwoPly) -> None:
    """Pairs without a decision once weren't counted, so the agreement stayed 1."""
    game = FakeGame(drop_frames=4)
    with pytest.raises(PlayerError, match=r"^choose\(snapshot\) of the player Silent returned None, but \w\w has "):
        play(game, sit_down(game, Silent(article)), 10)
    game = FakeGame(drop_frames=4)
    player = sit_down(game, Silent(article), keep_going=True)
    play(game, player, 10)
    tally = player.tally
    assert tally.pieces == game.locks == 10
    assert (tally.compared, tally.contradictions) == (5, 5)
    assert tally.agreement == 0.5


def test_next_must_come_as_it_was_shown(article: TwoPly) -> None:
    loaded = load_seat_map("player1")
    entries = dict(loaded.entries)
    entries["next_axis"], entries["next_partner"] = entries["next_partner"], entries["next_axis"]
    game = FakeGame(seed=2)
    with pytest.raises(ContradictionError, match="after NEXT had shown"):
        play(game, sit_down(game, article, ram_map=loaded.model_copy(update={"entries": entries})), 20)
    # with keep_going, each piece that NEXT hadn't shown lowers the agreement, although its lock is as predicted
    game = FakeGame(seed=2)
    player = sit_down(game, article, ram_map=loaded.model_copy(update={"entries": entries}), keep_going=True)
    play(game, player, 20)
    tally = player.tally
    assert (tally.compared, tally.misplaced, tally.disagreements) == (20, 0, 0)
    # the pair in hand is not counted yet, so its contradiction may be one more
    assert 0 <= tally.contradictions - tally.contradicted <= 1
    assert tally.agreement == (20 - tally.contradicted) / 20 < 1


def test_a_pair_announced_elsewhere_is_a_contradiction(article: TwoPly) -> None:
    loaded = load_seat_map("player1")
    entries = {**loaded.entries, "y": loaded.entries["y"].model_copy(update={"offset": 1})}
    game = FakeGame()
    with pytest.raises(ContradictionError, match="where no pairs appear"):
        sit_down(game, article, ram_map=loaded.model_copy(update={"entries": entries}))


def test_dead_rotation_buttons_are_noticed(article: TwoPly, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rotation buttons do nothing. (If they were swapped, the pilot would only need more presses, since it turns
    the pair until the orientation is right.)
    """
    import tests.fakegame

    edges = {Button.LEFT: Action.LEFT, Button.RIGHT: Action.RIGHT}
    monkeypatch.setattr(tests.fakegame, "EDGES", edges)
    game = FakeGame(drop_frames=4)
    with pytest.raises(ContradictionError, match="in a row landed elsewhere"):
        play(game, sit_down(game, article), 60)


def test_a_half_outside_the_columns_is_no_position(article: TwoPly) -> None:
    game = FakeGame()
    player = sit_down(game, article)
    game.ram[0x669], game.ram[0x6D5] = 6, int(Orientation.RIGHT)
    assert player.seat.pair_state() is None
    game.ram[0x669], game.ram[0x6D5] = 1, int(Orientation.LEFT)
    assert player.seat.pair_state() is None
    game.ram[0x669] = 2
    assert player.seat.pair_state() is not None


def test_before_the_first_lock_there_is_no_agreement() -> None:
    assert Tally().agreement is None


def test_faults_are_all_that_was_not_as_predicted() -> None:
    assert [Tally(misplaced=a, disagreements=b, contradictions=c).faults for a, b, c in ((1, 2, 3), (1, 1, 1))] == [
        6,
        3,
    ]


def test_maps_for_something_else_are_refused() -> None:
    loaded = load_seat_map("player1")
    game = FakeGame()
    with pytest.raises(MapError, match="for the system 'neogeo'"):
        famicom_seat(loaded.model_copy(update={"system": "neogeo"}), game.ram)
    field = loaded.entries["field"].model_copy(update={"rows": 13})
    with pytest.raises(MapError, match="must be a grid of 14 rows and 6 columns"):
        famicom_seat(loaded.model_copy(update={"entries": {**loaded.entries, "field": field}}), game.ram)
    with pytest.raises(MapError, match="is for the mode 'versus'"):
        PUYO.check_map(load_seat_map("player12"), "endless")


def test_play_goes_on_at_the_score_cap(article: TwoPly) -> None:
    game = FakeGame()
    game.score = 99_999_900
    game._write()
    player = sit_down(game, article)
    play(game, player, 40)
    assert game.score == 99_999_990
    assert player.tally.agreement == 1.0


def test_unknown_codes_are_reported_and_a_map_of_ones_own_mends_them(article: TwoPly) -> None:
    game = FakeGame(code_of={1: 0x10, 2: 0x20, 3: 0x30, 4: 0x40})
    with pytest.raises(GameError, match="calibrate the map"):
        sit_down(game, article)
    loaded = load_seat_map("player1")
    table = {0: "empty", 0x10: "red", 0x20: "green", 0x30: "blue", 0x40: "yellow"}
    codes = {"puyo": {"source": "calibrated", "values": table}}
    mended = RamMap.model_validate({**loaded.model_dump(), "codes": codes})
    player = sit_down(game, article, ram_map=mended)
    play(game, player, 20)
    assert player.tally.agreement == 1.0


def test_a_map_of_another_game_or_without_a_spawn_sign_is_refused() -> None:
    loaded = load_seat_map("player1")
    game = FakeGame()
    with pytest.raises(MapError, match="is for the game 'tetris'"):
        famicom_seat(loaded.model_copy(update={"game": "tetris"}), game.ram)
    kept = {k: v for k, v in loaded.entries.items() if k not in ("spawning", "spawn_phase", "spawn_delay")}
    with pytest.raises(MapError, match="no entry 'spawn_phase'"):
        famicom_seat(loaded.model_copy(update={"entries": kept}), game.ram)


def test_landing_is_compared_by_cells_not_by_names() -> None:
    field = Field.parse("R.....\nR.....")
    tally = Tally()
    same = Pair.parse("BB")
    target = Placement(1, 11, Orientation.RIGHT)
    before = Snapshot(field, same, same, 0, SPAWN)
    prediction = Prediction.of(before, target, RULES, knows_score=False)
    settled = prediction.outcome.field
    # the same colour on the same two cells, with axis and partner exchanged
    assert tally.compare(prediction, Settled(settled), PairState(2, 11, Orientation.LEFT)) is None
    assert tally.misplaced == 0
    # the field looks as predicted, but the pair was last seen at a position that can't lead to this field
    told = tally.compare(prediction, Settled(settled), PairState(3, 13, Orientation.RIGHT))
    assert told is not None
    assert (tally.misplaced, tally.contradictions) == (1, 1)
    assert tally.agreement == 0.5
    assert SPAWN.x == 3
    assert TABLE.codes["nuisance"] == 7


def test_only_presses_that_did_something_else_are_held_against_the_pad() -> None:
    """Slow hands once ended runs with "the pad does something else here"."""
    field, pair = Field.empty(), Pair(1, 2)
    forecast = Prediction.of(
        Snapshot(field, pair, pair, 0, SPAWN), Placement(1, 13, Orientation.UP), RULES, knows_score=False
    )
    there = Placement(4, 13, Orientation.UP)
    seen = Settled(place(field, pair, there, FAMICOM).field, 0, 0)
    landed = PairState(4, 13, Orientation.UP)
    slow, deaf = Tally(), Tally()
    for _ in range(20):
        assert slow.compare(forecast, seen, landed, unanswered=0) is None
    told = [deaf.compare(forecast, seen, landed, unanswered=1) for _ in range(5)]
    assert told[:4] == [None] * 4
    assert "the pad does something else" in str(told[4])
    assert (slow.misplaced, slow.contradictions, deaf.misplaced, deaf.contradictions) == (20, 0, 5, 1)


class ForeignGame(FakeGame):
    """The same game with random bytes at 0x700 to 0x71F: only our own cartridge keeps its state there."""

    def _write(self) -> None:
        super()._write()
        for address in range(0x700, 0x720):
            self.ram[address] = self.random.randrange(256)


@pytest.mark.parametrize("drop_frames", [20, 5])
def test_a_game_of_which_only_the_public_bytes_are_known(article: TwoPly, drop_frames: int) -> None:
    game = ForeignGame(drop_frames=drop_frames)
    player = sit_down(game, article, ram_map=load_seat_map("player1").public())
    play(game, player, 60)
    tally = player.tally
    assert (tally.compared, tally.misplaced, tally.disagreements, tally.contradictions) == (60, 0, 0, 0)


def test_the_end_of_a_game_is_seen_without_a_byte_that_says_so() -> None:
    class Piles:
        def choose(self, snapshot: Snapshot) -> Decision:
            placement = Placement(3, 13 - snapshot.field.heights()[2], Orientation.UP)
            return Decision(placement, 0.0, place(snapshot.field, snapshot.pair, placement, FAMICOM), 0)

    game = ForeignGame(seed=3)
    player = sit_down(game, Piles(), ram_map=load_seat_map("player1").public())
    pad = Button.NONE
    for frame in range(5000):
        game.step(pad)
        pad = player.frame()
        if frame % 8 == 0 and player.game_over():
            break
        assert not player.seat.over() or game.over
    assert game.over
    assert player.game_over()
    assert (player.tally.pieces, player.tally.compared, player.tally.agreement) == (game.locks, game.locks, 1.0)
