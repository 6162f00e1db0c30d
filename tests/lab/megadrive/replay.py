"""Compares rounds of our Mega Drive cartridge with the simulated match: fields, scores, nuisance, frames and winners.

    python -m tests.lab.megadrive.replay --rounds 50 --json -

Each round is played in the running game and then simulated twice. ``replay`` repeats the round's locks: it uses the
placement of each, its frames of control and the rows sunk with DOWN. ``play_match`` uses only the deal and lets the
same players decide once more. The exit code is 1 when anything differs.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from ochibot.console import Console, find_core
from ochibot.data import data_path
from ochibot.errors import FieldError, OchibotError, UsageError
from ochibot.lab.match import PuyoPlayer, play_match
from ochibot.play.battle import Contestant
from ochibot.puyo.rules.motion import dropped
from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.search.clairvoyant import BeamBudget, Clairvoyant
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import TwoPly
from ochibot.puyo.sim.match import SEATS
from ochibot.puyo.sim.megadrive import MEGADRIVE, MegaDriveMatch, MegaDriveTimed
from ochibot.report import check_target, write_json

from tests.lab.cartridge.report import Comparison
from tests.lab.cartridge.settings import Careless
from tests.lab.megadrive.record import GAME, SPAWN_FRAMES, Round, Spawned, record_round
from tests.puyo import TSU
from tests.puyo.sim.menus import margin_rules

_LATER = 1_000_000
"""A piece that had not locked when the round ended is simulated with this many frames of control, so it locks later."""

_SEEING = BeamBudget(plies=6, width=12)
"""The clairvoyant player's budget. It is small, but enough for the chains of five and more that are wanted here."""


@dataclass
class Report:
    """The fields of ``--json``. A seat is compared at its spawns and its loss. frames_off: how often the difference
    between simulated and real frame had each value.

    nuisance: points left over, the reward for an empty field, nuisance sent. dues: the nuisance due at both seats and
    the random state, at each frame that changes any of these. free_winners, free_locks: comparisons with
    ``play_match``, which uses only the deal. cheaper: locks after margin time had begun. all_clears: emptied fields.
    """

    rounds: int = 0
    decided: int = 0
    locks: int = 0
    nuisance_sent: int = 0
    best_chain: int = 0
    cheaper: int = 0
    all_clears: int = 0
    fields: Comparison = field(default_factory=Comparison)
    scores: Comparison = field(default_factory=Comparison)
    pieces: Comparison = field(default_factory=Comparison)
    nuisance: Comparison = field(default_factory=Comparison)
    dues: Comparison = field(default_factory=Comparison)
    winners: Comparison = field(default_factory=Comparison)
    frames_off: Counter[int] = field(default_factory=Counter)
    free_winners: Comparison = field(default_factory=Comparison)
    free_locks: Comparison = field(default_factory=Comparison)
    seconds: float = 0.0
    seed: int = 0
    core: str = ""
    rom_sha1: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing differed and something was compared."""
        parts = [part for part in vars(self).values() if isinstance(part, Comparison)]
        return (
            self.rounds > 0
            and all(part.compared and not part.different for part in parts)
            and not any(self.frames_off.keys() - {0})
        )

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        off = {str(key): value for key, value in sorted(self.frames_off.items())}
        return {**asdict(self), "frames_off": off, "holds": self.holds}


@dataclass(frozen=True)
class Setting:
    """How one round is played: the menu's options; for each seat plies (0: clairvoyant), ``Careless.every``, speed."""

    seed: int
    options: dict[str, int]
    plies: tuple[int, int]
    every: tuple[int, int]
    speeds: tuple[int, int]

    def players(self) -> tuple[PuyoPlayer, PuyoPlayer]:
        """Players as they are before the round; each call makes new ones."""
        config = load_player(data_path("configs/players/article.yaml"))
        made: list[PuyoPlayer] = []
        for seat, (plies, every) in enumerate(zip(self.plies, self.every, strict=True)):
            if plies:
                made.append(Careless(TwoPly(config, TSU, plies, self.seed + seat), every, 2 * self.seed + seat, TSU))
            else:
                made.append(Clairvoyant(config, TSU, 2, self.seed + seat, _SEEING))
        return made[0], made[1]


def settings(rounds: int, seed: int) -> list[Setting]:
    """Settings for varied rounds: every difficulty, margin time on and off, quick and slow hands, players that lose
    soon, players that last, and in every fifth round a clairvoyant player.
    """
    made = []
    for number in range(rounds):
        dice = random.Random(seed * 1_000_003 + number)
        lasting = number % 5 == 4
        choices = (30, 40) if lasting else (2, 3, 5, 8)
        seeing = number % 5 == 2
        made.append(
            Setting(
                seed=dice.randrange(1021),
                options={"level": 1 + number % 5, "margin": int(lasting or dice.random() < 0.5)},
                plies=(0 if seeing else dice.choice((1, 2)), 2 if lasting else dice.choice((1, 2))),
                every=(dice.choice(choices), dice.choice(choices)),
                speeds=(dice.choice((10, 10, 8, 6)), dice.choice((10, 10, 8, 6))),
            )
        )
    return made


class _Traced(MegaDriveTimed):
    """Keeps the due nuisance and the random state after each frame that has an event."""

    def __init__(self, match: MegaDriveMatch, counter: int) -> None:
        super().__init__(match, counter=counter)
        self._traced = match
        self.dues = {0: self._due()}

    def _due(self) -> tuple[int, int, int]:
        first, second = self._traced.seats
        return first.tray.waiting, second.tray.waiting, self._traced.random

    def _event(self, seat: int, clock: Any) -> None:
        super()._event(seat, clock)
        self.dues[self.frame] = self._due()

    def changes(self, last: int) -> list[tuple[int, tuple[int, int, int]]]:
        """What ``Round.dues`` lists, for the simulated match, up to the frame ``last``."""
        found: list[tuple[int, tuple[int, int, int]]] = []
        for frame, due in sorted(self.dues.items()):
            if frame <= last and (not found or due != found[-1][1]):
                found.append((frame, due))
        return found


def replay(played: Round, report: Report) -> None:
    """Repeats the round's locks in a simulated match, which computes their frames and order, and compares both."""
    match = MegaDriveMatch(played.deal, margin_rules(TSU, played.margin))
    timed = _Traced(match, played.counter)
    seen = dict.fromkeys(SEATS, 0)
    while (seat := timed.waiting()) is not None:
        number = seen[seat]
        seen[seat] += 1
        if number < len(played.spawns[seat - 1]):
            report.frames_off[timed.spawned(seat) - played.spawns[seat - 1][number].frame] += 1
            _compare(match, seat, played.spawns[seat - 1][number], report)
        if number < len(played.locks[seat - 1]):
            lock = played.locks[seat - 1][number]
            try:
                done = timed.lock(seat, lock.placement, lock.control, lock.soft_rows)
            except FieldError:  # the fields differed before, and in the simulated one the piece finds no room
                report.fields.add(None, lock)
                return
            report.locks += 1
            report.best_chain = max(report.best_chain, len(done.steps))
            report.all_clears += bool(done.steps) and not done.field.count()
            report.cheaper += played.margin and timed.frame >= 5760
            continue
        if played.loser is None or timed.frame >= _LATER:
            break
        snapshot = match.snapshot(seat)
        rest = dropped(snapshot.field.cells.tolist(), snapshot.state, snapshot.pair, match.rules)
        timed.lock(seat, Placement(*rest), _LATER)
    if played.loser is not None:
        assert played.over_at is not None
        report.frames_off[timed.frame - played.over_at] += 1
        _compare(match, played.loser, played.spawns[played.loser - 1][-1], report, ended=True)
    # if the round was cut off, the simulated match has stopped at a spawn and lacks what happened later
    last = played.frames if played.loser is not None else min(played.frames, timed.frame - 1)
    theirs_till = [due for due in played.dues if due[0] <= last]
    for ours, theirs in itertools.zip_longest(timed.changes(last), theirs_till):
        report.dues.add(ours, theirs)
    report.nuisance_sent += sum(side.sent for side in match.seats)
    report.winners.add(timed.loser, played.loser)


def _compare(match: MegaDriveMatch, seat: int, spawned: Spawned, report: Report, *, ended: bool = False) -> None:
    own, seen = match.side(seat), spawned.seen
    report.fields.add(own.field, seen.field)
    report.scores.add(own.score, seen.score)
    report.nuisance.add((own.tray.points, own.tray.all_clear, own.sent), (seen.points, seen.all_clear, seen.sent))
    if not ended:
        report.pieces.add((own.pair, own.next_pair), (seen.pair, seen.next_pair))


def prove(rounds: int, seed: int, core: str | None = None, max_pieces: int = 300) -> Report:
    """Plays and compares this many rounds. Raises UsageError for fewer than one, ConsoleError without a core."""
    if rounds < 1:
        raise UsageError(f"can't compare {rounds} rounds: give 1 or more")
    report = Report(seed=seed)
    began = time.perf_counter()
    with Console.open(find_core(GAME.system, core), GAME.open_rom(None), options=GAME.core_options) as console:
        console.keep_video(False)
        report.core, report.rom_sha1 = f"{console.core_name} {console.core_version}", console.rom.sha1
        for setting in settings(rounds, seed):
            first, second = setting.players()
            sides = Contestant("1", first, setting.speeds[0]), Contestant("2", second, setting.speeds[1])
            played = record_round(console, sides, seed=setting.seed, options=setting.options, max_pieces=max_pieces)
            compare(played, setting, report, max_pieces)
    report.seconds = round(time.perf_counter() - began, 1)
    return report


def compare(played: Round, setting: Setting, report: Report, max_pieces: int) -> None:
    """Compares a round with both simulations, and adds the results to the report."""
    report.rounds += 1
    report.decided += played.loser is not None
    replay(played, report)
    free = play_match(
        played.deal,
        setting.players(),
        setting.speeds,
        rules=margin_rules(TSU, played.margin),
        counter=played.counter,
        max_pieces=max_pieces,
        cartridge=MEGADRIVE,
    )
    report.free_winners.add(free.loser, played.loser)
    for seat in SEATS:
        ours = [
            (lock.spawned + SPAWN_FRAMES + lock.control, lock.placement) for lock in free.locks if lock.seat == seat
        ]
        theirs = [(lock.frame, lock.placement) for lock in played.locks[seat - 1]]
        # The match lists a lock as soon as it is decided, so its last piece may still fall in the cartridge at the end.
        for one, other in itertools.zip_longest(ours[: max(len(theirs), len(ours) - 1)], theirs):
            report.free_locks.add(one, other)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.megadrive.replay", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", help="a libretro core: a file, or a name")
    parser.add_argument("--json", metavar="FILE", default="-", help="write the report there (default: stdout)")
    options = parser.parse_args(arguments)
    check_target(options.json)
    report = prove(options.rounds, options.seed, options.core)
    write_json(report.as_dict(), options.json)
    return 0 if report.holds else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OchibotError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
