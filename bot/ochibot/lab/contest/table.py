"""The table at which two players sit: it fixes the game, its rules and its deals. There is one class per family.

A game is a plain record (``GameRecord``): who lost, what was sent, and each side's locks as text, six characters each.
The deal and the locks are a replay: ``TimedMatch`` plays them again, frame by frame.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, NotRequired, Protocol, TypedDict

from ochibot.errors import ConfigError, UsageError
from ochibot.falling.orientation import Orientation
from ochibot.falling.player import AnyPlayer
from ochibot.games import find_game
from ochibot.games.choosing import find_rules
from ochibot.games.filed.families import find_kind, is_family
from ochibot.lab import match as puyo_lab
from ochibot.lab.nyaa import match as nyaa_lab
from ochibot.nyaa.rules import file as nyaa_rules
from ochibot.nyaa.rules.lock import check_match_rules
from ochibot.nyaa.rules.pair import Placement as NyaaPlacement
from ochibot.nyaa.rules.profile import Rules as NyaaRules
from ochibot.nyaa.sim.match import Deal as NyaaDeal
from ochibot.nyaa.sim.timed import NEOGEO_TIMING
from ochibot.puyo.rules import file as puyo_rules
from ochibot.puyo.rules.pair import Placement as PuyoPlacement
from ochibot.puyo.rules.profile import Rules as PuyoRules
from ochibot.puyo.sim.match import Deal as PuyoDeal
from ochibot.puyo.sim.megadrive import CARTRIDGES, Cartridge
from ochibot.quoting import quoted
from ochibot.wording import counted

GameName = Literal["puyo", "tsu", "nyaa"]
GAMES: Final[tuple[GameName, ...]] = ("puyo", "tsu", "nyaa")
"""The titles whose matches can be simulated."""

_CARTRIDGE: Final = {"puyo": "famicom", "tsu": "megadrive"}
_LEVELS: Final = {"puyo": 4, "tsu": 5}
_COLORS: Final = {"puyo": (4, 5, 6), "tsu": (3, 4, 5)}
_TSU_LEVEL: Final = {3: 2, 4: 3, 5: 4}
"""The Mega Drive game's difficulty for a number of colours."""
DEFAULT_COLORS: Final = 5
"""The number of colours in Puyo Puyo by default. With 4 colours, two equal players hardly ever end a game."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_WIDTH: Final = 6
"""How many characters a lock has: column, row, orientation (plus 4 for needles), rows sunk with Down held, and two for
the frames under control; all in base 36.
"""


class GameRecord(TypedDict):
    """A finished game. Pairs of values are those of seats 1 and 2. loser: the seat that lost, or 0 for a draw. best:
    each side's longest chain, or greatest attack. moves: each side's locks as text (see ``Move``). fault: why the
    loser's engine has lost by its own fault, in words; other games don't have it.
    """

    deal: int
    loser: int
    frames: int
    pieces: list[int]
    scores: list[int]
    sent: list[int]
    best: list[int]
    moves: list[str]
    fault: NotRequired[str]


@dataclass(frozen=True)
class Move:
    """One lock of a replay. ``str`` and ``parse`` convert it to six characters and back."""

    x: int
    y: int
    orientation: Orientation
    needle: bool
    soft_rows: int
    control: int

    def __str__(self) -> str:
        """The six characters. Raises ConfigError for a number that doesn't fit."""
        numbers = (self.x, self.y, self.orientation + 4 * self.needle, self.soft_rows, *divmod(self.control, 36))
        if not all(0 <= number < 36 for number in numbers):
            raise ConfigError(f"a lock that took {counted(self.control, 'frame')} can't be kept in a replay")
        return "".join(_DIGITS[number] for number in numbers)

    @classmethod
    def parse(cls, text: str) -> list[Move]:
        """Reads all locks of a side. Raises ConfigError."""
        if len(text) % _WIDTH or set(text) - set(_DIGITS):
            raise ConfigError(f"the locks of a replay are damaged: {quoted(text[:20])}")
        found = []
        for begin in range(0, len(text), _WIDTH):
            x, y, way, soft, high, low = (_DIGITS.index(sign) for sign in text[begin : begin + _WIDTH])
            if way >= 8:
                raise ConfigError(f"the locks of a replay are damaged: {quoted(text[begin : begin + _WIDTH])}")
            found.append(cls(x, y, Orientation(way % 4), way >= 4, soft, 36 * high + low))
        return found


def deal_number(seed: int, label: str, number: int) -> int:
    """The frame (24 bits) from which a deal is made: a hash of the run's seed, the label and the deal's number."""
    digest = hashlib.blake2b(f"{label} {seed} {number}".encode(), digest_size=3).digest()
    return int.from_bytes(digest)


class MatchTable(Protocol):
    """What an arena needs of a table: a frozen dataclass. A family from outside makes its own (``Kind.table``)."""

    @property
    def game(self) -> str:
        """The title's name, or its game file."""

    @property
    def rules(self) -> Any:
        """The rules, with a ``name``."""

    @property
    def max_pieces(self) -> int:
        """The game is a draw once both sides have locked this many pieces."""

    def play(self, frame: int, players: tuple[AnyPlayer, AnyPlayer]) -> GameRecord:
        """Plays the game that begins at this frame between the players of seats 1 and 2."""

    def identity(self) -> dict[str, Any]:
        """Everything that a game depends on except the players and the deal, as plain values."""


@dataclass(frozen=True)
class PuyoTable:
    """Puyo Puyo on the Famicom cartridge (``puyo``) or the Mega Drive one (``tsu``). max_pieces: the game is a draw
    once both sides have locked this many pieces.
    """

    game: GameName
    rules: PuyoRules
    level: int
    colors: int
    max_pieces: int

    @property
    def cartridge(self) -> Cartridge:
        """The cartridge that the match simulates."""
        return CARTRIDGES[_CARTRIDGE[self.game]]

    def deal(self, frame: int) -> PuyoDeal:
        """The deal that the cartridge makes at this frame of its counter."""
        return replace(PuyoDeal.at(frame, self.level, self.colors), source=self.cartridge.source)

    def play(self, frame: int, players: tuple[AnyPlayer, AnyPlayer]) -> GameRecord:
        """Plays a game between the players of seats 1 and 2."""
        played = puyo_lab.play_match(
            self.deal(frame), players, rules=self.rules, max_pieces=self.max_pieces, cartridge=self.cartridge
        )
        moves = ["", ""]
        for lock in played.locks:
            at = lock.placement
            moves[lock.seat - 1] += str(Move(at.x, at.y, at.orientation, False, lock.soft_rows, lock.control))
        record = GameRecord(
            deal=frame,
            loser=played.loser or 0,
            frames=played.frames,
            pieces=list(played.pieces),
            scores=list(played.scores),
            sent=list(played.nuisance_sent),
            best=list(played.best_chain),
            moves=moves,
        )
        return _with_fault(record, played.fault)

    def placement(self, move: Move) -> PuyoPlacement:
        """The placement of a move."""
        return PuyoPlacement(move.x, move.y, move.orientation)

    def identity(self) -> dict[str, Any]:
        """Everything that a game depends on except the players and the deal, as plain values."""
        return {**asdict(self), "timing": asdict(self.cartridge.timing)}


@dataclass(frozen=True)
class NyaaTable:
    """Pochi & Nyaa with the timing of the Neo Geo cartridge. max_pieces: as for ``PuyoTable``."""

    game: GameName
    rules: NyaaRules
    max_pieces: int

    def deal(self, frame: int) -> NyaaDeal:
        """The deal that the cartridge makes at this frame of its counter."""
        return NyaaDeal.at(frame)

    def play(self, frame: int, players: tuple[AnyPlayer, AnyPlayer]) -> GameRecord:
        """Plays a game between the players of seats 1 and 2."""
        played = nyaa_lab.play_match(self.deal(frame), players, self.rules, max_pieces=self.max_pieces)
        first, second = played.match.seats
        record = GameRecord(
            deal=frame,
            loser=played.loser or 0,
            frames=played.frames,
            pieces=list(played.pieces),
            scores=[first.score, second.score],
            sent=list(played.sent),
            best=list(played.best_attack),
            moves=["".join(str(_move(at)) for at in side) for side in played.chosen],
        )
        return _with_fault(record, played.fault)

    def placement(self, move: Move) -> NyaaPlacement:
        """The placement of a move."""
        return NyaaPlacement(move.x, move.y, move.orientation, move.needle)

    def identity(self) -> dict[str, Any]:
        """Everything that a game depends on except the players and the deal, as plain values."""
        return {**asdict(self), "timing": asdict(NEOGEO_TIMING)}


def _move(at: NyaaPlacement) -> Move:
    return Move(at.x, at.y, at.orientation, at.needle, 0, NEOGEO_TIMING.control(at))


def _with_fault(record: GameRecord, fault: str) -> GameRecord:
    if fault:
        record["fault"] = fault
    return record


def table_of(
    game: str,
    rules: str | None = None,
    *,
    level: int | None = None,
    colors: int | None = None,
    max_pieces: int | None = None,
) -> MatchTable:
    """The table of a title. ``rules``: a shipped profile or a file; None: the title's own rules.

    Raises UsageError and ConfigError.
    """
    if game not in GAMES:
        if level is not None or colors is not None:
            raise UsageError("--level and --colors are of puyo and tsu: leave them out")
        return _table_from_outside(game, rules, max_pieces)
    if game == "nyaa":
        if level is not None or colors is not None:
            raise UsageError("--level and --colors are of puyo and tsu: leave them out for nyaa")
        profile = nyaa_rules.load_rules(rules or "nyaa_mvs")
        check_match_rules(profile)
        return NyaaTable("nyaa", profile, max_pieces or nyaa_lab.MOST_PIECES)
    title: GameName = "puyo" if game == "puyo" else "tsu"
    dealt = DEFAULT_COLORS if colors is None else colors
    if dealt not in _COLORS[title]:
        raise UsageError(f"{title} deals {_COLORS[title][0]} to {_COLORS[title][-1]} colours, not {dealt}")
    chosen = level if level is not None else 1 if title == "puyo" else _TSU_LEVEL[dealt]
    if not 1 <= chosen <= _LEVELS[title]:
        raise UsageError(f"--level of {title} goes from 1 to {_LEVELS[title]}, not {chosen}")
    cartridge = CARTRIDGES[_CARTRIDGE[title]]
    table = PuyoTable(title, puyo_rules.load_rules(rules or cartridge.rules), chosen, dealt, max_pieces or 500)
    # fails now, not in the first game, if the cartridge can't deal this many colours
    cartridge.match(table.deal(0), table.rules)
    return table


def _table_from_outside(game: str, rules: str | None, max_pieces: int | None) -> MatchTable:
    """The table of a title whose family offers one. Raises UsageError and ConfigError."""
    title = find_game(game)
    family = title.family.name
    make = find_kind(family).table if is_family(family) else None
    if make is None:
        raise UsageError(f"matches of {quoted(game)} can't be simulated: give one of {', '.join(GAMES)}")
    table: MatchTable = make(game, find_rules(title, rules), max_pieces)
    return table
