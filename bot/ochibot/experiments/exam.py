"""The exam: plays the game from the files that were written, and compares every lock with what they predict."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ochibot.errors import CalibrationError, GameError, OchibotError
from ochibot.experiments.fields import resting
from ochibot.experiments.known import Ground
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.stance import offsets
from ochibot.games.choosing import Opener
from ochibot.games.piece import place_entries
from ochibot.jit.library import code_for_all
from ochibot.play.agreement import Tally
from ochibot.play.battle import Contestant
from ochibot.play.endless import Endless
from ochibot.play.seat import AnySeatPlayer
from ochibot.play.speed import SPEEDS
from ochibot.ram import RamMap
from ochibot.session import Session, open_session
from ochibot.wording import counted

MOST_GAMES = 30
MOST_HEAPED = 120
"""Within so many pieces that aren't steered anywhere, a game ends."""
AFTER_END = 120
"""Frames after the end in which no piece may appear."""
LANDINGS = 60
"""How many pieces an exam of landings plays."""
LOST_IN_A_ROW = 5
"""So many pieces one after the other that don't land end an exam of landings."""
ENOUGH = 0.99
"""The share of pieces that must be without a fault; with fewer, the files are drafts."""

OVER = "the sign of the end"
NEEDED = ("field", "x", "y", "orientation", "colours", "NEXT", "needle", "score", OVER)
"""What a map must have, as far as the game has it. (Only games of the family nyaa have needles.)"""

ALIKE = 0.9
"""The share of pieces that must appear in one place for that to be where pieces appear."""

Place = tuple[int, int, str]
"""Where a piece appears: x and y as in a game file, and its orientation."""


@dataclass(frozen=True)
class Exam:
    """How an exam went. kind: ``play`` compares every cell and the score, ``landing`` only where pieces come to rest.

    broke: the first difference or error, in words; empty when there was none. from_menu: whether the game was started
    through its menu, rather than from a savestate. missing: what the map doesn't have, or not rightly, although a whole
    map has it (see NEEDED), in words. asked: how many pieces were to be played.
    """

    kind: str
    pieces: int
    agreed: int
    broke: str = ""
    from_menu: bool = True
    missing: tuple[str, ...] = ()
    asked: int = 0
    against: tuple[tuple[str, int], ...] = ()
    """What was otherwise (see ``Tally.named``, and ``end``), with how often; the most frequent first."""
    appeared: Place | None = None
    """Where the pieces appeared, if that is elsewhere than the files say; None if they don't agree about one place."""

    @property
    def agreement(self) -> float:
        """The share of pieces that agreed; 0 where none were played."""
        return self.agreed / self.pieces if self.pieces else 0.0

    @property
    def shortfall(self) -> str:
        """In words, why the files are drafts; empty when they aren't."""
        if self.passed:
            return ""
        said = []
        if self.missing:
            said.append(f"the map lacks {', '.join(self.missing)}")
        if self.pieces < self.asked:
            said.append(f"only {self.pieces} of {counted(self.asked, 'piece')} were played in the exam")
        if self.agreement < ENOUGH or not said:
            said.append(f"agreement {self.agreement:.4f} of {counted(self.pieces, 'piece')} in the exam")
        return "; ".join(said)

    @property
    def passed(self) -> bool:
        """Whether the files tell all of the game: the pieces asked for went as predicted, and nothing is missing."""
        return (
            self.kind == "play" and self.agreement >= ENOUGH and self.pieces >= max(1, self.asked) and not self.missing
        )


class _Heaper:
    """A player that takes the first placement there is, and so soon loses."""

    name = "heaper"

    def __init__(self, session: Session) -> None:
        self._session = session

    def choose(self, snapshot: Any) -> Any | None:
        """The first legal placement."""
        session = self._session
        return next(iter(session.game.family.placements(snapshot, session.rules)), None)


def missing_of(ram_map: RamMap, family: str, absent: Collection[str] = ()) -> tuple[str, ...]:
    """What a map lacks for a game to be known whole. ``absent``: words of NEEDED for what the game doesn't have."""
    has = set(ram_map.entries)
    place = place_entries(ram_map.pair.denotes)
    wanted = {
        "field": ("field",),
        "x": place[:1] if ram_map.pair.denotes != "halves" else ("x", "partner_x"),
        "y": place[1:2] if ram_map.pair.denotes != "halves" else ("y", "partner_y"),
        "orientation": () if ram_map.pair.denotes == "halves" else place[2:],
        "colours": ("axis", "partner"),
        "NEXT": ("next_axis", "next_partner", *(("next2_axis", "next2_partner") if family == "nyaa" else ())),
        "needle": ("needle",) if family == "nyaa" else (),
        "score": ("score",),
    }
    missing = [word for word, names in wanted.items() if not has.issuperset(names)]
    if ram_map.signs.over is None and not has & {"phase", "state"}:
        missing.append(OVER)
    return tuple(word for word in missing if word not in absent)


@code_for_all()
def examine(
    game: Path,
    rom: Path,
    pieces: int,
    *,
    ram_map: Path | None = None,
    system: Path | None = None,
    core: str | None = None,
    opener: Opener | None = None,
    absent: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
    most_faults: int | None = None,
) -> Exam:
    """Plays ``pieces`` pieces with the written files, in at most MOST_GAMES games, and then a game to its end.

    A contradiction, a misplaced piece and a piece that could not be compared are faults. The piece that falls when a
    game ends isn't counted, because nothing follows it. ``ram_map``: a map to play by in place of the game file's.
    ``opener``: opens the console in place of a core. ``absent``: what the game was shown not to have, by the words of
    NEEDED. most_faults: with more of them, the exam ends. Raises GameError when a game breaks off before its first
    piece.
    """
    played = faults = 0
    broke = ""
    missing: tuple[str, ...] = ()
    against: Counter[str] = Counter()
    appeared: Counter[Place | None] = Counter()
    ended = False
    for seed in range(1, MOST_GAMES + 1):
        before = played
        with open_session(
            game, rom=rom, system=system, core=core, seed=seed, ram_map=ram_map, opener=opener
        ) as session:
            session.console.keep_video(False)
            missing = missing_of(session.maps()[0], session.game.family.name, absent)
            counts = [_counts(Tally())]

            def piece(run: Endless, before: int = before, counts: list[_Count] = counts, wrong: int = faults) -> None:
                counts.append(_counts(run.player.tally))
                if run.player.snapshot is not None:
                    state = run.player.snapshot.state
                    right = run.player.seat.starts_at(state)
                    appeared[None if right else (state.x, state.y, state.orientation.name.lower())] += 1
                if most_faults is not None and wrong + counts[-1][1] > most_faults:
                    run.stop("too many faults")
                if progress is not None:
                    progress(before + run.player.tally.pieces)

            run = session.endless(None, keep_going=True, on_piece=piece)
            try:
                session.wait()
                session.reach(run.player.seat)
                run.run(pieces=pieces - played)
            except GameError as error:
                if not run.player.tally.pieces:
                    raise
                broke = broke or str(error)
                against["spawn"] += 1
            tally = run.player.tally
            done, wrong, named = _counts(tally)
            last = max((one for one in counts if one[0] < done), default=counts[0], key=lambda one: one[:2])
            if run.game_over and done == last[0] + 1:
                done, wrong, named = last
            if run.game_over and not done:
                broke = broke or "the map tells the end before the first piece"
                against["end"] += 1
            broke = broke or (_wrong(run.player) if wrong else "")
            played += done
            faults += wrong
            against += named
            over = played >= pieces or played == before or (most_faults is not None and faults > most_faults)
            if over and OVER not in missing and OVER not in absent:
                ended = _ends(session, over=run.game_over)
        if over:
            break
    if not ended and OVER not in missing and OVER not in absent:
        missing += (OVER,)
        against["end"] += 1
    likeliest, times = max(appeared.items(), key=lambda one: one[1], default=(None, 0))
    place = likeliest if times >= ALIKE * appeared.total() else None
    return replace(_played(played, faults, pieces, broke, missing, against), appeared=place)


def _played(played: int, faults: int, asked: int, broke: str, missing: tuple[str, ...], against: Counter[str]) -> Exam:
    """The result of an exam in which so many pieces were played."""
    broke = broke or (f"the map lacks {', '.join(missing)}" if missing else "")
    by_times = tuple(sorted(against.items(), key=lambda one: (-one[1], one[0])))
    return Exam("play", played, max(0, played - faults), broke, missing=missing, asked=asked, against=by_times)


def _ends(session: Session, *, over: bool) -> bool:
    """Heaps pieces up, unless the game is over already. Returns whether the map tells its end, and no piece follows."""
    run = session.endless(_Heaper(session), keep_going=True)
    if not over:
        try:
            run.run(pieces=MOST_HEAPED)
        except GameError:
            return False
        over = run.game_over
    seat = run.player.seat
    for _ in range(AFTER_END if over else 0):
        session.machine.step()
        if seat.update():
            return False
    return over


_Count = tuple[int, int, Counter[str]]


def _counts(tally: Tally) -> _Count:
    """(pieces, faults, what was otherwise)."""
    return tally.pieces, tally.faults + tally.pieces - tally.compared, Counter(dict(tally.named))


@code_for_all()
def examine_versus(
    game: Path,
    rom: Path,
    pieces: int,
    *,
    maps: Mapping[int, Path] | None = None,
    system: Path | None = None,
    core: str | None = None,
    absent: Collection[str] = (),
) -> Exam:
    """Plays rounds of two bots with the written files, at most MOST_GAMES, until each has played ``pieces``.

    Faults are those of ``examine``, and play goes on after each. maps: maps to play by in place of the game file's, by
    seat. A map of either seat that lacks something doesn't pass. Raises GameError when the first round breaks off
    before its first piece.
    """
    played = faults = 0
    broke = ""
    missing: tuple[str, ...] = ()
    against: Counter[str] = Counter()
    for seed in range(1, MOST_GAMES + 1):
        before = played
        with open_session(game, rom=rom, system=system, core=core, seed=seed, maps=maps) as session:
            session.console.keep_video(False)
            family = session.game.family.name
            of_seats = session.maps(session.game.versus_mode)
            missing = tuple(
                f"{what} of seat {one.seat}" for one in of_seats for what in missing_of(one, family, absent)
            )
            session.options = {**session.game.defaults("battle", of_seats[0]), **session.options}
            minds = (session.open_player(seed=seed), session.open_player(seed=seed + 1))
            one, other = (Contestant("bot", mind, len(SPEEDS) - 1) for mind in minds)
            # each seat plays half of the pieces that are left, rounded up
            left = (2 * pieces - played + 1) // 2
            fight = session.contest((one, other), seed=seed, max_pieces=left, keep_going=True)
            try:
                fight.run(1)
            except GameError as error:
                if not played + fight.result.pieces:
                    raise
                broke = broke or str(error)
                against["spawn"] += 1
                # the piece at which it breaks off
                played += 1
                faults += 1
            for player in fight.seats or ():
                done, wrong, named = _counts(player.tally)
                played += done
                faults += wrong
                against += named
                broke = broke or (_wrong(player) if wrong else "")
        if played >= 2 * pieces or played == before:
            break
    return _played(played, faults, 2 * pieces, broke, missing, against)


def _wrong(player: AnySeatPlayer) -> str:
    """In words, what was otherwise at a seat."""
    tally = player.tally
    words = (
        f"{counted(tally.misplaced, 'piece')} landed elsewhere, "
        f"{tally.disagreements} led to something else, "
        f"{counted(tally.contradictions, 'other contradiction')}"
    )
    if player.last_disagreement:
        words += f"; at last: {' '.join(player.last_disagreement.split())}"
    return words


def examine_landings(ground: Ground, learnt: Learnt) -> Exam:
    """Plays pieces and predicts only where their halves come to rest, for games whose rules aren't known.

    Each half falls by itself, or both fall as one: whichever is right for more pieces is the game's.
    """
    dice = random.Random(2)
    stance = learnt.stance
    words = list(stance.ways)
    results: dict[bool, list[str]] = {False: [], True: []}
    broke = ""
    lost = 0
    state = ground.state
    paint = ground.painted()
    while (played := len(results[False])) < LANDINGS:
        rig = ground.rig
        rig.load(state)
        if played % 4 == 0:
            rig.poke(paint)
            state = rig.save()
        before = ground.cells(rig.snap())
        taps = dice.randrange(4) if words else 0
        word = words[taps] if words else stance.start
        across = sum(right for right, _ in offsets(stance.denotes, word))
        column = dice.randrange(max(0, -across), ground.grid.columns - max(0, across))
        heights = [sum(c == number for c, _ in before) for number in range(ground.grid.columns)]
        if max(heights) > ground.visible - 4:
            state = ground.state
            continue
        try:
            fallen = ground.driver.fall(
                state, column=ground.columns[column], turns=(int(stance.turning.button),) * taps
            )
        except CalibrationError as error:
            # the round may have ended, or a level; another begins where this one did
            broke = broke or str(error)
            for faults in results.values():
                faults.append(str(error))
            lost += 1
            if lost == LOST_IN_A_ROW:
                break
            state = ground.state
            continue
        lost = 0
        shape = ((0, 0), (across, 0) if across else (0, 1))
        after = ground.cells(fallen.ram)
        for apart, faults in results.items():
            wanted = resting(shape, column, set(before), ground.visible, apart=apart)
            right = set(after) == set(before) | wanted or len(after) < len(before) + 2
            seen = sorted(set(after) - set(before))
            faults.append("" if right else f"a piece was to land on {sorted(wanted)}, and {seen} were seen")
        state = fallen.state
    best = min(results.values(), key=lambda faults: sum(map(bool, faults)))
    return Exam("landing", len(best), best.count(""), broke or next(filter(None, best), ""))


def why_not(error: OchibotError) -> str:
    """An error's message as one line."""
    return " ".join(str(error).split())
