"""Compares rounds of the cartridge's 2 PLAYER mode with the simulated match: winners, fields, nuisance and frames.

    python -m tests.lab.cartridge.replay --rounds 100 --json -

Each round is played in the running game and then three times without it: its locks in the cartridge's order
(``replay``), its locks with only the frames of control given (``retime``), and the same players once more, with nothing
given but the deal (``play_match``). Exit code 1 when anything differs.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time

from ochibot.console import Console, find_core
from ochibot.errors import FieldError, OchibotError, UsageError
from ochibot.lab.match import play_match
from ochibot.play.battle import Contestant
from ochibot.puyo.rules.motion import dropped
from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.rules.steps import Lock
from ochibot.puyo.sim.match import SEATS, Match, SeatState
from ochibot.puyo.sim.timed import FAMICOM_TIMING, TimedMatch
from ochibot.report import check_target, write_json

from tests.lab.cartridge.record import SPAWN_FRAMES, Event, Round, SeatSeen, record_round
from tests.lab.cartridge.report import Report
from tests.lab.cartridge.settings import Setting, settings
from tests.puyo import FAMICOM
from tests.puyo.sim.menus import versus_rules
from tests.titles import PUYO as GAME

_LATER = 1_000_000
"""Frames of control of a piece that was not locked when the round ended."""


class _Replay:
    """A round's events in the cartridge's order, applied to a Match."""

    def __init__(self, played: Round, report: Report) -> None:
        self.match = Match(played.deal, versus_rules(FAMICOM, played.limit))
        self._report = report
        # by seat
        self._locked: dict[int, Placement | None] = dict.fromkeys(SEATS)
        self._lock_frame = dict.fromkeys(SEATS, 0)
        self._done: dict[int, Lock | None] = dict.fromkeys(SEATS)
        self._fall: dict[int, int | None] = dict.fromkeys(SEATS)

    def apply(self, event: Event) -> None:
        """Applies one event to the match, and compares the nuisance it moves, or whether the seat goes on."""
        match, seat, report = self.match, event.seat, self._report
        if event.kind == "lock":
            self._locked[seat], self._lock_frame[seat] = event.placement, event.frame
            report.locks += 1
            return
        placement, self._locked[seat] = self._locked[seat], None
        if placement is not None:
            done = match.resolved(seat, placement)
            match.settle(seat, done)
            self._done[seat], self._fall[seat] = done, None
            report.best_chain = max(report.best_chain, len(done.steps))
        if event.kind == "send":
            report.nuisance.add(match.send(seat), event.amount)
            report.nuisance_sent += event.amount
        elif event.kind == "fall":
            report.nuisance.add(match.side(seat).tray.waiting, event.amount)
            self._fall[seat] = match.fall(seat).rows
        else:
            if not match.side(seat).pair.is_item:
                self._measure(seat, event.frame - self._lock_frame[seat])
            report.ends.add(match.finish(seat), event.kind == "over")

    def _measure(self, seat: int, frames: int) -> None:
        """Adds to the report how many frames the lock took, and how many more than ``Timing.alone`` says."""
        done, fall, report = self._done[seat], self._fall[seat], self._report
        assert done is not None
        report.waited[frames - FAMICOM_TIMING.alone(done.drop, tuple(step.fall for step in done.steps), fall)] += 1
        if fall is None:
            pairs, mean = report.settling.get(len(done.steps), [0, 0.0])
            report.settling[len(done.steps)] = [pairs + 1, round(mean + (frames - mean) / (pairs + 1), 4)]

    def compare(self, seen: tuple[SeatSeen, SeatSeen]) -> None:
        """Compares both seats after a frame in which one of them got its next piece, or lost."""
        for seat, ours, theirs in zip(SEATS, self.match.seats, seen, strict=True):
            self._report.nuisance.add(ours.tray.waiting, theirs.waiting)
            if theirs.field is not None and self._locked[seat] is None:
                _compare_resting(ours, theirs, self._report)


def _compare_resting(ours: SeatState, theirs: SeatSeen, report: Report) -> None:
    report.fields.add(ours.field, theirs.field)
    report.scores.add(ours.score, theirs.score)
    report.pieces.add((ours.pair, ours.next_pair), (theirs.pair, theirs.next_pair))
    generators = ours.dealer.state, ours.dice.state, ours.tray.points
    report.generators.add(generators, (theirs.pair_state, theirs.dice, theirs.points))


def replay(played: Round, report: Report) -> None:
    """Replays the round's locks in the cartridge's order, and compares everything after each."""
    again = _Replay(played, report)
    again.compare(played.first)
    for _, together in itertools.groupby(played.events, lambda event: event.frame):
        events = list(together)
        for event in events:
            try:
                again.apply(event)
            except FieldError:  # an earlier difference has left no room for the piece
                report.fields.add(None, event)
                return
        for event in events:
            if event.seen is not None:
                again.compare(event.seen)
    report.winners.add(again.match.loser(played.counter + events[-1].frame + 1), played.loser)


def retime(played: Round, report: Report) -> None:
    """Replays the round's locks in a TimedMatch, given each piece's frames of control. Compares frames and winners."""
    match = Match(played.deal, versus_rules(FAMICOM, played.limit))
    timed = TimedMatch(match, counter=played.counter)
    locks = {seat: [e for e in played.events if e.seat == seat and e.kind == "lock"] for seat in SEATS}
    ends = {seat: [e.frame for e in played.events if e.seat == seat and e.seen is not None] for seat in SEATS}
    spawns = {seat: [0, *frames] for seat, frames in ends.items()}
    seen = dict.fromkeys(SEATS, 0)
    while (seat := timed.waiting()) is not None:
        number = seen[seat]
        seen[seat] += 1
        if number < len(spawns[seat]):
            report.frames_off[timed.spawned(seat) - spawns[seat][number]] += 1
        if number < len(locks[seat]):
            lock = locks[seat][number]
            assert lock.placement is not None
            timed.lock(seat, lock.placement, max(1, lock.frame - spawns[seat][number] - SPAWN_FRAMES))
            continue
        if played.loser is None or timed.frame >= _LATER:
            break
        snapshot = match.snapshot(seat)
        rest = dropped(snapshot.field.cells.tolist(), snapshot.state, snapshot.pair, match.rules)
        timed.lock(seat, Placement(*rest), _LATER)
    if played.loser is not None:
        report.frames_off[timed.frame - played.events[-1].frame] += 1
    report.timed_winners.add(timed.loser, played.loser)


def prove(rounds: int, seed: int, core: str | None = None, max_pieces: int = 120) -> Report:
    """Plays and compares this many rounds. Raises UsageError for less than one, ConsoleError without a core."""
    if rounds < 1:
        raise UsageError(f"can't compare {rounds} rounds: give 1 or more")
    report = Report(seed=seed)
    began = time.perf_counter()
    with Console.open(find_core(GAME.system, core), GAME.open_rom(None)) as console:
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
    """Makes all three comparisons of a round."""
    report.rounds += 1
    report.decided += played.loser is not None
    replay(played, report)
    retime(played, report)
    rules = versus_rules(FAMICOM, played.limit)
    free = play_match(
        played.deal, setting.players(), setting.speeds, rules=rules, counter=played.counter, max_pieces=max_pieces
    )
    report.free_winners.add(free.loser, played.loser)
    for seat in SEATS:
        ours = [
            (lock.spawned + SPAWN_FRAMES + lock.control, lock.placement) for lock in free.locks if lock.seat == seat
        ]
        theirs = [(e.frame, e.placement) for e in played.events if e.seat == seat and e.kind == "lock"]
        # the match may already have locked the piece that still falls in the cartridge when the round ends
        for one, other in itertools.zip_longest(ours[: max(len(theirs), len(ours) - 1)], theirs):
            report.free_locks.add(one, other)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.cartridge.replay", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
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
