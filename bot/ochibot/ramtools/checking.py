"""Checks a map against a running game. Experiments show the true values, which are compared with the map's.

The order: through the menus to the first spawn (the map's mode and spawn sign), drops whose outcome is known, the
field's grid, the falling pair, colours and NEXT, the seat's other values, rules, and finally a game played with all
proposals applied. Nothing stops at the first contradiction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Final

from ochibot.console import Button, HostedConsole
from ochibot.errors import ConfigError, ContradictionError, GameError, MapError, OchibotError, StalledError
from ochibot.games.protocols import AnySeat
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.players import open_player
from ochibot.puyo.rules.pair import PairState
from ochibot.ram import RamMap
from ochibot.ramtools.bench import Bench
from ochibot.ramtools.blind import ByteSign, find_play, find_sign, first_spawn
from ochibot.ramtools.buttons import learn_turns, report_turns
from ochibot.ramtools.colorfits import ColorFits, ColorReading
from ochibot.ramtools.drops import Announcer, DropLab, Pads
from ochibot.ramtools.evidence import Collector, Evidence, twins
from ochibot.ramtools.fieldfits import FieldFits, said_grid
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.grids import Grid
from ochibot.ramtools.ignitions import Ignitions
from ochibot.ramtools.laboratory import Laboratory
from ochibot.ramtools.needles import Needles
from ochibot.ramtools.nextfits import NextFits
from ochibot.ramtools.nuisances import Nuisances
from ochibot.ramtools.pairfits import PairFits, moments
from ochibot.ramtools.proposals import patched_map, patched_rules
from ochibot.ramtools.reading import PairReading, Paper, address_of, uses
from ochibot.ramtools.rulefits import check_kicks, check_score
from ochibot.ramtools.shapes import shape_of
from ochibot.ramtools.timings import measure
from ochibot.ramtools.valuefits import ValueFits
from ochibot.wording import counted

EXAM: Final = 50
"""How many pieces are played in the game that ends the check."""


@dataclass
class Checked:
    """What a check found: the report, and the map and rules with all proposals applied (unchanged if none)."""

    report: Report
    ram_map: RamMap
    rules: Any


def with_buttons(title: Any, findings: Sequence[Finding]) -> Any:
    """The title with the buttons that the findings propose."""
    actions = {action.name.lower(): action for action in title.table.buttons}
    buttons = {actions[name]: button for finding in findings for name, button in finding.buttons.items()}
    if not buttons:
        return title
    other = copy(title)
    other.table = replace(title.table, buttons={**title.table.buttons, **buttons})
    return other


class Checker:
    """Checks one map on one running console. ``title`` must be made from a game table, for a family of ``FAMILIES``.

    ``tell`` shows what is being done; ``stopped`` is called at every frame and may raise to end the check. Raises
    UsageError for a family without experiments.
    """

    def __init__(
        self,
        title: Any,
        ram_map: RamMap,
        console: HostedConsole,
        rules: Any,
        *,
        options: Mapping[str, int] | None = None,
        tell: Callable[[str], None] = lambda _: None,
        stopped: Callable[[], None] = lambda: None,
    ) -> None:
        self.title = title
        self.table = title.table
        self.map = ram_map
        self.console = console
        self.rules = rules
        self.shape = shape_of(title.family.name, rules)
        self.options = dict(options or {})
        self.report = Report()
        self.tell = tell
        self._stopped = stopped
        self._blind = False
        ram = console.ram
        # a core may offer RAM that the cartridge lacks: such RAM is read only if the header or the map mentions it
        banks = any(bank.sure or uses(ram_map, bank) for bank in ram.banks)
        self.lab = Laboratory(console, ram_map.seat, stopped, banks=banks)
        self.paper = Paper(ram_map, ram.layout, len(self.lab.look()), self.table.codes)
        self.values = ValueFits(title, self.paper, self.report)

    def run(self, *, pieces: int = EXAM, state: bytes | None = None) -> Checked:
        """Runs the whole check. ``state``: a savestate at a spawn (None: goes through the menus to a spawn).

        Raises GameError when play isn't reached.
        """
        spawned, drops, evidence = self._evidence(state)
        spawn = self._appears()
        self.tell("looking for the field")
        field = FieldFits(self.map, self.shape, self.report)
        grid = field.fit(drops, evidence, spawn)
        if grid is not None:
            said = drops.pads.turn, drops.pads.back
            learn_turns(drops, evidence, grid, spawn)
            report_turns(self.report, evidence, said)
            self.tell("dropping pairs in every position")
            self._collector(drops).sample(evidence, grid)
            self._fit(drops, evidence, grid, spawn)
        if self._blind:
            self._drop_the_rest()
        self.report.unchecked = self._unchecked()
        return self._exam(spawned, pieces)

    def _evidence(self, state: bytes | None) -> tuple[bytes, DropLab, Evidence]:
        """Returns the state at the first spawn, what drops pairs, and the evidence from first drops.

        If the map's sign of a spawn fails, finds another. Raises GameError.
        """
        self.console.step()
        power_on = self.lab.save()
        try:
            spawned = self._reach(state)
            return spawned, *self._drops(self._seat(self.map, self.rules))
        except GameError as error:
            failed = error
        if state is None and self.map.seat != 1:
            raise GameError(
                f"{failed}; the way to a game of two can't be found by START alone: give a savestate of its first pair "
                "with --from-state"
            )
        self.report.holds.clear()
        self._blind = True
        self.lab.load(power_on if state is None else state)
        return self._without_sign(failed)

    def _drops(self, sign: Announcer) -> tuple[DropLab, Evidence]:
        self.tell("dropping a pair into every column")
        drops = DropLab(self.lab, self._pads(), sign)
        return drops, self._collector(drops).collect()

    def _collector(self, drops: DropLab) -> Collector:
        return Collector(drops, self.shape, self._appears(), said_grid(self.map, self.shape))

    def _appears(self) -> PairState:
        """The position and orientation in which pairs appear."""
        spawn = self.table.spawn
        return PairState(spawn.x, spawn.y, spawn.orientation)

    def _without_sign(self, failed: GameError) -> tuple[bytes, DropLab, Evidence]:
        """Reaches play by START alone, and finds a sign of spawns. Raises GameError, whose text begins with that of
        ``failed``.
        """
        self.tell("looking for a piece that falls and follows the pad")
        try:
            start = find_play(self.lab, self._pads())
            address = find_sign(self.lab, self._pads(), start)
            sign = ByteSign(self.console.ram, address)
            spawned = first_spawn(self.lab, start, sign)
        except GameError as error:
            raise GameError(f"{failed}; {error}") from None
        old = address_of(self.map, "spawning")
        self.report.findings.append(
            Finding(
                "spawning",
                tuple(each for each in (old, address) if each is not None),
                "the map's sign of a spawn doesn't rise once for each piece",
                f"{address:04X} is 0 while the pad moves a pair, and other than 0 from its announcement on",
                f"address: {address:#06x}",
                entries={"spawning": {"address": address, "source": "calibrated"}},
            )
        )
        how = (
            f"was reached by {counted(start.taps, 'tap')} of START" if start.taps else "began with the savestate's pair"
        )
        self.report.notes.append(f"play {how}, without the map's mode")
        return spawned, *self._drops(sign)

    def _drop_the_rest(self) -> None:
        """Proposes to drop the entries that no experiment confirmed: they may be as wrong as the map's spawn sign."""
        given = {name for finding in self.report.findings for name in finding.entries}
        rest = [name for name in self.map.entries if name not in given and name not in self.report.holds]
        if rest:
            self.report.findings.append(
                Finding(
                    "other entries",
                    (),
                    f"nothing has confirmed {', '.join(rest)}, and the sign of a spawn isn't where the map has it",
                    "their bytes were not looked for",
                    "leave them out: null",
                    entries=dict.fromkeys(rest),
                )
            )

    # reaching play

    def _seat(self, ram_map: RamMap, rules: Any) -> AnySeat:
        seat: AnySeat = self.title.seat(ram_map, self.console.ram, rules)
        return seat

    def _reach(self, state: bytes | None) -> bytes:
        """Loads ``state`` or, if it is None, goes through the menus to a spawn. Returns the savestate at that point."""
        if state is not None:
            self.lab.load(state)
            return state
        seat = self._seat(self.map, self.rules)
        self.tell("going through the menus")
        mode = next((name for name, value in self.table.modes.items() if value == self.map.mode), self.title.solo_mode)
        self.title.reach(self.console, seat, mode, self.options)
        self.report.holds += [name for name in ("mode", "spawning") if name in self.map.entries]
        return self.lab.save()

    def _pads(self) -> Pads:
        buttons = self._buttons()
        return Pads(*(buttons[name] for name in ("left", "right", "down", "rotate_cw", "rotate_ccw")))

    def _buttons(self) -> dict[str, Button]:
        """The table's buttons by the names that game files use."""
        return {action.name.lower(): button for action, button in self.table.buttons.items()}

    # the rest

    def _fit(self, drops: DropLab, evidence: Evidence, grid: Grid, spawn: PairState) -> None:
        report = self.report
        if not evidence.samples:
            report.notes.append("no drop came to lie where it was sent: the pair couldn't be checked")
            return
        codes = {value: lies.name.lower() for value, lies in self.table.orientations.items()}
        fits = PairFits(self.paper, codes, report)
        known = moments(evidence.samples, spawn)
        pair = fits.fit(known)
        painted = ColorFits(self.paper, report, evidence, grid, drops)
        colors = painted.fit()
        for ahead, names in enumerate(self.shape.nexts, 1):
            if colors is not None:
                NextFits(painted, colors).fit(names, ahead)
        self.values.others(evidence, doubted=self._blind)
        if pair is not None and colors is not None:
            self._rules(drops, evidence, grid, pair, colors, spawn)
        self._merge_field()

    def _merge_field(self) -> None:
        """Removes ``field`` from the report's ``holds`` if there is a finding about it, even if its codes are right."""
        if any(finding.about == "field" for finding in self.report.findings):
            self.report.holds = [name for name in self.report.holds if name != "field"]

    def _rules(
        self, drops: DropLab, evidence: Evidence, grid: Grid, pair: PairReading, colors: ColorReading, spawn: PairState
    ) -> None:
        entry: Any = self.map.entries.get("score")
        score = None if entry is None else lambda image: self.paper.value("score", image)
        pads = drops.pads
        bench = Bench(
            drops,
            grid,
            pair,
            colors,
            self.rules,
            self.report,
            evidence.first,
            spawn,
            score,
            pads.turn if evidence.turns == -1 else pads.back,
            getattr(entry, "scale", 1),
            twins(grid, evidence.samples),
        )
        if "needle" in self._buttons():
            self._needles(bench)
        else:
            self.tell("trying kicks and what chains are worth")
            check_kicks(bench)
            check_score(bench, lambda state: self.values.find_score(bench, evidence, state))
        self.tell("measuring times")
        self.report.measured = {"spawn_delay": evidence.delay, **measure(bench)}
        self.values.timing([sample.spawn for sample in evidence.samples])

    def _needles(self, bench: Bench) -> None:
        """Checks needles, then nuisance and ignitions; only needles if no state for the others is found."""
        self.tell("trying needles, nuisance and what ignitions are worth")
        needles = Needles(bench, self.paper, self._buttons()["needle"])
        state = needles.fit()
        if state is not None:
            pending = Nuisances(bench, self.paper).fit(state)
            Ignitions(needles, self.paper, self.table.codes, pending).run(state)

    def _unchecked(self) -> list[str]:
        looked = {*self.report.holds, *(name for finding in self.report.findings for name in finding.entries)}
        looked |= {finding.about for finding in self.report.findings}
        return [name for name in self.map.entries if name not in looked]

    # the exam

    def _exam(self, spawned: bytes, pieces: int) -> Checked:
        report = self.report
        fixed, rules = self.map, self.rules
        title = with_buttons(self.title, report.findings)
        try:
            fixed = patched_map(self.map, report.findings, report.holds)
            rules = patched_rules(self.rules, report.findings)
        except OchibotError as error:
            report.notes.append(str(error))
        if pieces:
            self.tell(f"playing {counted(pieces, 'piece')} with the proposals")
            report.exam = self._play(title, fixed, rules, spawned, pieces)
        report.frames = self.lab.frames
        return Checked(report, fixed, rules)

    def _play(self, title: Any, ram_map: RamMap, rules: Any, spawned: bytes, pieces: int) -> dict[str, object]:
        """Plays ``pieces`` pieces from the first spawn on. Returns the game's counts by name, such as ``agreement``."""
        self.lab.load(spawned)
        told: dict[str, object] = {"pieces": 0, "agreement": None}
        try:
            seat: AnySeat = title.seat(ram_map, self.console.ram, rules)
            seat.resync()
            hands: Any = SeatPlayer(seat, open_player(None, self.title, rules), speed_of(10), keep_going=True)
            hands.spawn()
            run = Endless(self.console, hands, seed=None, speed=10, on_frame=lambda _: self._stopped())
            run.run(pieces=pieces)
        except (ContradictionError, GameError, StalledError, MapError, ConfigError) as error:
            return {**told, "stopped_by": str(error)}
        tally = hands.tally
        told = {
            "pieces": tally.pieces,
            "agreement": tally.agreement,
            "misplaced": tally.misplaced,
            "disagreements": tally.disagreements,
            "contradictions": tally.contradictions,
            "stopped_by": run.stopped_by,
        }
        if hands.last_disagreement is not None:
            told["last_disagreement"] = hands.last_disagreement
        return told
