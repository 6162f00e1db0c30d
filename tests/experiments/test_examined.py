"""How an exam counts: sessions that go by a script, piece by piece, in place of a machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import CalibrationError, GameError
from ochibot.experiments import exam
from ochibot.experiments.exam import (
    AFTER_END,
    LANDINGS,
    LOST_IN_A_ROW,
    MOST_GAMES,
    MOST_HEAPED,
    OVER,
    examine,
    examine_landings,
    examine_versus,
    missing_of,
)
from ochibot.falling.orientation import Orientation
from ochibot.ram import RamMap

FILES = Path("mine.yaml"), Path("mine.nes")


@dataclass
class Tally:
    """What of a tally an exam looks at. named: how often each thing was otherwise."""

    pieces: int = 0
    compared: int = 0
    named: dict[str, int] = field(default_factory=dict)
    misplaced: int = 0
    disagreements: int = 0
    contradictions: int = 0

    @property
    def faults(self) -> int:
        return sum(self.named.values())


@dataclass
class Game:
    """A game: for each piece what is otherwise with it (empty: nothing; ``?``: it can't be compared), and how it ends.
    places: where pieces appear that don't appear where the files say.
    """

    pieces: list[str]
    over: bool = True
    breaks: str = ""
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    after: list[int] = field(default_factory=list)
    """Frames after the end in which a piece appears."""
    heaped: bool = True
    """Whether a game that goes on can be ended."""


class Session:
    """Plays such a game."""

    def __init__(self, game: Game) -> None:
        self.made = game
        self.console = SimpleNamespace(keep_video=lambda keep: self.asked.append(keep))
        self.asked: list[Any] = []
        self.game = SimpleNamespace(family=SimpleNamespace(name="puyo"))
        self.steps = 0
        self.machine = SimpleNamespace(step=self.step)
        self.heaping: list[int] = []

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def maps(self) -> Any:
        return ["the map"]

    def wait(self) -> None:
        self.asked.append("wait")

    def reach(self, _: object) -> None:
        self.asked.append("reach")

    def step(self) -> None:
        self.steps += 1

    def endless(self, player: Any, *, keep_going: bool, on_piece: Callable[[Any], None] | None = None) -> Any:
        assert keep_going
        tally, one = Tally(), self.made
        seat = SimpleNamespace(
            starts_at=lambda state: (state.x, state.y) == (3, 2), update=lambda: self.steps in one.after
        )
        played = SimpleNamespace(tally=tally, snapshot=None, seat=seat, last_disagreement="a\n  b")
        run = SimpleNamespace(player=played, game_over=False, stopped="")
        run.stop = lambda why: setattr(run, "stopped", why)

        def play(*, pieces: int) -> None:
            if player is not None:
                self.heaping.append(pieces)
                if not one.heaped:
                    raise GameError("it hangs")
                run.game_over = True
                return
            for number, what in enumerate(one.pieces):
                if tally.pieces == pieces or run.stopped:
                    return
                tally.pieces += 1
                tally.compared += what != "?"
                if what not in ("", "?"):
                    tally.named[what] = tally.named.get(what, 0) + 1
                    tally.misplaced += 1
                x, y = one.places.get(number, (3, 2))
                state = SimpleNamespace(x=x, y=y, orientation=Orientation.UP)
                played.snapshot = SimpleNamespace(state=state)
                assert on_piece is not None
                on_piece(run)
            if one.breaks:
                raise GameError(one.breaks)
            run.game_over = one.over

        run.run = play
        return run


def held(
    games: list[Game], monkeypatch: pytest.MonkeyPatch, *, pieces: int = 10, lacks: tuple[str, ...] = (), **said: Any
) -> tuple[exam.Exam, list[Session]]:
    """The exam of some games, one after another, and their sessions. lacks: what the map has not."""
    opened: list[Session] = []
    seeds: list[int] = []

    def open_session(*_: object, seed: int, **__: object) -> Session:
        seeds.append(seed)
        opened.append(Session(games[min(len(opened), len(games) - 1)]))
        return opened[-1]

    monkeypatch.setattr(exam, "open_session", open_session)
    monkeypatch.setattr(exam, "missing_of", lambda *_: lacks)
    found = examine(*FILES, pieces, **said)
    assert seeds == list(range(1, len(opened) + 1))
    return found, opened


def test_all_pieces_agree_in_one_game_that_is_then_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    found, (session,) = held([Game([""] * 20)], monkeypatch, progress=told.append)
    assert (found.pieces, found.agreed, found.broke, found.missing, found.asked) == (10, 10, "", (), 10)
    assert (found.passed, found.appeared, found.against) == (True, None, ())
    assert told == list(range(1, 11))
    assert session.asked == [False, "wait", "reach"]
    # pieces are heaped up, and what follows the end is watched
    assert (session.heaping, session.steps) == ([MOST_HEAPED], AFTER_END)


def test_games_follow_each_other_until_enough_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    # the last piece of a game that ends isn't counted
    found, opened = held([Game([""] * 5), Game([""] * 4), Game([""] * 9)], monkeypatch)
    assert (found.pieces, found.agreed, len(opened)) == (10, 10, 3)
    found, opened = held([Game([""] * 2)], monkeypatch, pieces=100)
    assert (found.pieces, len(opened)) == (MOST_GAMES, MOST_GAMES)
    assert not found.passed
    # a game with nothing that counts is the last one
    found, opened = held([Game([""] * 5), Game([""]), Game([""] * 9)], monkeypatch)
    assert (found.pieces, len(opened)) == (4, 2)


@pytest.mark.parametrize(
    ("pieces", "agreed", "against"),
    [
        (["", "field", "", "score", "field", *[""] * 9], 7, (("field", 2), ("score", 1))),
        (["", "?", "", *[""] * 9], 9, ()),
        ([*[""] * 9, "NEXT", ""], 9, (("NEXT", 1),)),
    ],
)
def test_faults_are_pieces_that_went_otherwise_or_could_not_be_compared(
    pieces: list[str], agreed: int, against: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, _ = held([Game(pieces)], monkeypatch)
    assert (found.pieces, found.agreed, found.against) == (10, agreed, against)
    wrong = sum(times for _, times in against)
    piece = "1 piece" if wrong == 1 else f"{wrong} pieces"
    assert found.broke == f"{piece} landed elsewhere, 0 led to something else, 0 other contradictions; at last: a b"


def test_the_fault_of_a_piece_at_which_a_game_ends_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    found, opened = held([Game(["", "", "field"]), Game([""] * 20)], monkeypatch)
    assert (found.pieces, found.agreed, found.broke, found.against, len(opened)) == (10, 10, "", (), 2)
    # it does in a game that goes on
    found, _ = held([Game(["", "", "field"], over=False), Game([""] * 20)], monkeypatch)
    assert (found.pieces, found.agreed) == (10, 9)


def test_a_game_that_breaks_off_is_told_after_its_first_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    found, opened = held([Game(["", "", ""], over=False, breaks="no piece comes"), Game([""] * 20)], monkeypatch)
    assert (found.pieces, found.broke, found.against, len(opened)) == (10, "no piece comes", (("spawn", 1),), 2)
    with pytest.raises(GameError, match="no piece comes"):
        held([Game([], over=False, breaks="no piece comes")], monkeypatch)


def test_an_exam_with_more_faults_than_another_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = ["field", "", "field", "", "field", *[""] * 9]
    for most, played in ((0, 1), (1, 3), (2, 5), (3, 10), (None, 10)):
        found, opened = held([Game(pieces)], monkeypatch, most_faults=most)
        assert (found.pieces, len(opened)) == (played, 1)
    # faults of all games count together
    found, opened = held([Game(["field", "", ""]), Game(["field", "", ""])], monkeypatch, most_faults=1)
    assert (found.pieces, len(opened)) == (2 + 1, 2)


@pytest.mark.parametrize(("others", "place"), [(8, None), (9, (4, 1, "up")), (10, (4, 1, "up"))])
def test_pieces_that_nearly_all_appear_elsewhere_tell_where(
    others: int, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, _ = held([Game([""] * 10, places=dict.fromkeys(range(others), (4, 1)))], monkeypatch)
    assert found.appeared == place


@pytest.mark.parametrize(
    ("game", "ends"),
    [
        (Game([""] * 20), True),
        (Game([""] * 20, heaped=False), False),
        (Game([""] * 20, after=[AFTER_END]), False),
        (Game([""] * 20, after=[1]), False),
        (Game([""] * 20, after=[AFTER_END + 1]), True),
    ],
)
def test_the_end_must_come_and_no_piece_after_it(game: Game, ends: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found, (session,) = held([game], monkeypatch)
    assert found.missing == (() if ends else (OVER,))
    assert found.passed is ends
    assert found.against == (() if ends else (("end", 1),))
    assert ends or found.broke == f"the map lacks {OVER}"
    # where the map has no sign of it, or the game none, it isn't looked for
    for said in ({"lacks": (OVER,)}, {"absent": (OVER,)}):
        found, (session,) = held([game], monkeypatch, **said)  # type: ignore[arg-type]
        assert session.heaping == []
        assert found.missing == said.get("lacks", ())


def test_an_end_that_is_told_before_the_first_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    found, opened = held([Game([])], monkeypatch)
    assert (found.pieces, found.broke, len(opened)) == (0, "the map tells the end before the first piece", 1)
    assert found.against == (("end", 1),)
    assert found.agreement == 0


# -- two seats


class Two(Session):
    """A game of two: what each seat's pieces were."""

    def __init__(self, seats: tuple[Tally, Tally], breaks: str = "") -> None:
        super().__init__(Game([]))
        self.seats, self.breaks = seats, breaks
        self.options: dict[str, int] = {"level": 3}
        self.game = SimpleNamespace(
            family=SimpleNamespace(name="puyo"), versus_mode="versus", defaults=lambda *_: {"level": 1, "music": 0}
        )
        self.left: list[int] = []
        self.minds: list[int] = []

    def maps(self, mode: str = "") -> Any:
        assert mode == "versus"
        return [SimpleNamespace(seat=1), SimpleNamespace(seat=2)]

    def open_player(self, *, seed: int) -> str:
        self.minds.append(seed)
        return f"mind {seed}"

    def contest(self, players: Any, *, seed: int, max_pieces: int, keep_going: bool) -> Any:
        assert keep_going
        assert [one.player for one in players] == [f"mind {seed}", f"mind {seed + 1}"]
        self.left.append(max_pieces)
        seats = tuple(SimpleNamespace(tally=tally, last_disagreement="") for tally in self.seats)
        result = SimpleNamespace(pieces=sum(tally.pieces for tally in self.seats))

        def run(rounds: int) -> None:
            assert rounds == 1
            if self.breaks:
                raise GameError(self.breaks)

        return SimpleNamespace(run=run, seats=seats, result=result)


def fought(
    rounds: list[Two],
    monkeypatch: pytest.MonkeyPatch,
    *,
    pieces: int = 30,
    lacks: dict[int, tuple[str, ...]] | None = None,
) -> exam.Exam:
    opened: list[Two] = []

    def open_session(*_: object, **__: object) -> Two:
        opened.append(rounds[min(len(opened), len(rounds) - 1)])
        return opened[-1]

    monkeypatch.setattr(exam, "open_session", open_session)
    monkeypatch.setattr(exam, "missing_of", lambda one, *_: (lacks or {}).get(one.seat, ()))
    found = examine_versus(*FILES, pieces)
    assert found.asked == 2 * pieces
    assert all(one.options == {"level": 3, "music": 0} for one in opened)
    assert opened[0].minds[:2] == [1, 2]
    return found


def test_both_seats_pieces_count_until_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Two((Tally(20, 20), Tally(19, 19))), Two((Tally(11, 11), Tally(11, 11)))
    found = fought([first, second], monkeypatch)
    assert (found.pieces, found.agreed, found.passed) == (61, 61, True)
    # each seat plays half of what is left, rounded up
    assert (first.left, second.left) == ([30], [11])
    wrong = Two((Tally(30, 30, {"field": 1}), Tally(30, 28)))
    found = fought([wrong], monkeypatch)
    assert (found.pieces, found.agreed, found.against) == (60, 57, (("field", 1),))
    assert found.broke.startswith("0 pieces landed elsewhere")
    # a round without a piece is the last one
    assert fought([Two((Tally(), Tally()))], monkeypatch).pieces == 0


def test_a_round_that_breaks_off_has_a_fault_more(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = [Two((Tally(20, 20), Tally(20, 20)), "no piece comes"), Two((Tally(10, 10), Tally(10, 10)))]
    found = fought(rounds, monkeypatch)
    assert (found.pieces, found.agreed, found.broke) == (61, 60, "no piece comes")
    assert found.against == (("spawn", 1),)
    with pytest.raises(GameError, match="no piece comes"):
        fought([Two((Tally(), Tally()), "no piece comes")], monkeypatch)


def test_a_map_of_either_seat_that_lacks_something_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fought([Two((Tally(30, 30), Tally(30, 30)))], monkeypatch, lacks={2: ("score",)})
    assert (found.missing, found.passed, found.broke) == (("score of seat 2",), False, "the map lacks score of seat 2")


# -- what a map lacks


NAMES = ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score", "phase")


def map_with(*names: str, **said: Any) -> RamMap:
    entries: dict[str, Any] = {name: {"address": at, "source": "calibrated"} for at, name in enumerate(names)}
    entries["field"] = {
        "address": 0x100, "rows": 12, "columns": 6, "row_stride": 6, "column_stride": 1, "source": "calibrated",
    }  # fmt: skip
    return RamMap.model_validate({"game": "a", "name": "a", "system": "nes", "seat": 1, "entries": entries, **said})


@pytest.mark.parametrize(
    ("without", "word"),
    [("x", "x"), ("y", "y"), ("orientation", "orientation"), ("axis", "colours"), ("partner", "colours"),
     ("next_axis", "NEXT"), ("next_partner", "NEXT"), ("score", "score"), ("phase", OVER)],
)  # fmt: skip
def test_each_entry_that_a_map_lacks_has_a_word(without: str, word: str) -> None:
    assert missing_of(map_with(*NAMES), "puyo") == ()
    lacking = map_with(*(name for name in NAMES if name != without))
    assert missing_of(lacking, "puyo") == (word,)
    assert missing_of(lacking, "puyo", [word]) == ()


def test_what_only_some_games_have_is_only_wanted_of_them() -> None:
    needles = (*NAMES, "needle", "next2_axis", "next2_partner")
    assert missing_of(map_with(*needles), "nyaa") == ()
    assert missing_of(map_with(*NAMES), "nyaa") == ("NEXT", "needle")
    halves = (*(name for name in NAMES if name != "orientation"), "partner_x", "partner_y")
    both = {"pair": {"denotes": "halves"}}
    assert missing_of(map_with(*halves, **both), "puyo") == ()
    assert missing_of(map_with(*halves[:-1], **both), "puyo") == ("y",)
    assert missing_of(map_with(*halves[:-2], "partner_y", **both), "puyo") == ("x",)


# -- landings alone

TURNS = ("up", "right", "down", "left")
BESIDE = {"up": 0, "right": 1, "down": 0, "left": -1}


class Heap:
    """A field into which pairs fall. stiff: both halves fall as one. start: how a pair lies at first. denotes: whose
    column is steered. wrong: pieces that land one row too high; lost: pieces that don't land; gone: pieces with which
    four cells vanish.
    """

    def __init__(
        self, *, stiff: bool, denotes: str = "axis", start: str = "up", turning: bool = True,
        wrong: tuple[int, ...] = (), lost: tuple[int, ...] = (), gone: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        self.stiff, self.denotes, self.wrong, self.lost, self.gone = stiff, denotes, wrong, lost, gone
        begun = TURNS.index(start)
        self.words = TURNS[begun:] + TURNS[:begun]
        self.now: frozenset[tuple[int, int]] = frozenset()
        self.fallen: list[tuple[int, int]] = []
        self.emptied: list[int] = []
        self.used: set[int] = set()
        self.state: Any = frozenset()
        self.ground: Any = SimpleNamespace(
            rig=self, driver=self, state=frozenset(), grid=SimpleNamespace(columns=6), visible=12,
            columns=range(100, 106), painted=lambda: {0: 0}, cells=lambda ram: dict.fromkeys(ram, 1),
        )  # fmt: skip
        self.learnt: Any = SimpleNamespace(
            stance=SimpleNamespace(
                ways=self.words if turning else (), start=start, denotes=denotes, turning=SimpleNamespace(button=8)
            )
        )

    def load(self, state: Any) -> None:
        self.now = state

    def save(self) -> Any:
        return self.now

    snap = save

    def poke(self, pokes: dict[int, int]) -> None:
        assert pokes == {0: 0}
        self.now = frozenset()
        self.emptied.append(len(self.fallen))

    def fall(self, state: Any, *, column: int, turns: tuple[int, ...]) -> Any:
        assert set(turns) <= {8}
        number = len(self.fallen)
        self.fallen.append((column - 100, len(turns)))
        if number in self.lost:
            raise CalibrationError(f"piece {number} doesn't come down")
        word = self.words[len(turns)]
        across = BESIDE[word]
        axis = column - 100 - {"partner": across, "box": min(across, 0)}.get(self.denotes, 0)
        heights = [sum(c == at for c, _ in state) for at in range(6)]
        assert max(heights) <= 12 - 4, "there is room for the piece"
        halves = [axis, axis + across]
        self.used |= set(halves)
        assert set(halves) <= set(range(6)), "the piece is within the walls"
        rows = [heights[at] for at in halves]
        if self.stiff or not across:
            rows = [max(rows), max(rows) + (not across)]
        high = number in self.wrong
        cells = {*state, *((at, row + high) for at, row in zip(halves, rows, strict=True))}
        if number in self.gone:
            cells = set(sorted(cells)[4:])
        return SimpleNamespace(ram=frozenset(cells), state=frozenset(cells))


@pytest.mark.parametrize("stiff", [False, True])
@pytest.mark.parametrize(
    ("denotes", "start", "turning"),
    [("axis", "up", True), ("partner", "up", True), ("axis", "right", True), ("partner", "down", True),
     ("box", "up", True), ("box", "right", True), ("box", "left", False),
     ("axis", "up", False), ("partner", "left", False), ("axis", "left", False)],
)  # fmt: skip
def test_pieces_land_where_both_halves_fall_or_where_they_fall_as_one(
    stiff: bool, denotes: str, start: str, turning: bool
) -> None:
    heap = Heap(stiff=stiff, denotes=denotes, start=start, turning=turning)
    found = examine_landings(heap.ground, heap.learnt)
    assert (found.kind, found.pieces, found.agreed, found.broke) == ("landing", LANDINGS, LANDINGS, "")
    assert len(heap.fallen) == LANDINGS
    assert heap.used == set(range(6))
    assert {turns for _, turns in heap.fallen} == (set(range(4)) if turning else {0})
    # the field is emptied before each fourth piece
    assert heap.emptied == list(range(0, LANDINGS, 4))
    # the same pieces fall whenever it is played
    again = Heap(stiff=stiff, denotes=denotes, start=start, turning=turning)
    examine_landings(again.ground, again.learnt)
    assert again.fallen == heap.fallen


def test_pieces_that_land_elsewhere_are_counted_unless_something_vanishes() -> None:
    wrong, gone = (5, 20, 21), (12, 30)
    heap = Heap(stiff=False, wrong=wrong, gone=gone)
    found = examine_landings(heap.ground, heap.learnt)
    assert (found.pieces, found.agreed) == (LANDINGS, LANDINGS - len(wrong))
    assert found.broke.startswith("a piece was to land on [(")
    column, _ = heap.fallen[5]
    assert f"({column}, " in found.broke
    lost = (3, 4, 5, 6, 40)
    heap = Heap(stiff=True, lost=lost)
    found = examine_landings(heap.ground, heap.learnt)
    # each is a fault, and after it the field is that of the first piece
    assert (found.pieces, found.agreed, found.broke) == (LANDINGS, LANDINGS - 5, "piece 3 doesn't come down")


def test_an_exam_of_landings_ends_when_one_piece_after_another_does_not_land() -> None:
    heap = Heap(stiff=True, lost=tuple(range(9, 90)))
    found = examine_landings(heap.ground, heap.learnt)
    assert (found.pieces, found.agreed, found.broke) == (9 + LOST_IN_A_ROW, 9, "piece 9 doesn't come down")
