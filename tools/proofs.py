"""The list of long proofs: the command of each, its condition, and the figures to keep.
``tools/prove.py`` runs them.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
Report = dict[str, Any]


@dataclass(frozen=True)
class Proof:
    """One proof: a command of this project, the condition that its report must meet, and the figures to keep."""

    name: str
    says: str
    args: tuple[str, ...]
    holds: Callable[[Report], bool]
    figures: Callable[[Report], str]
    core: str = ""
    module: str = "ochibot"

    @property
    def command(self) -> str:
        """The command as a user would type it."""
        return " ".join(("ochibot" if self.module == "ochibot" else f"python -m {self.module}", *self.args))


def _agrees(pieces: int, alive: bool) -> Callable[[Report], bool]:
    def check(report: Report) -> bool:
        whole = report["pieces"] == report["compared"] == pieces
        honest = report["logic_overruns"] == report["sprite_overflows"] == 0
        survived = report["game_overs"] == 0 or not alive
        return whole and honest and survived and report["misplaced"] == 0 and report["agreement"] == 1.0

    return check


def _play_figures(report: Report) -> str:
    return (
        f"{report['compared']:,} of {report['pieces']:,} compared, {report['misplaced']} misplaced, agreement "
        f"{report['agreement']:g}, game overs {report['game_overs']}, score {report['score']:,}, best chain "
        f"{report['best_chain']}, overruns {report['logic_overruns']}, sprite overflows {report['sprite_overflows']}, "
        f"{report['frames_per_second']:,.0f} frames/s on {report['core']}"
    )


def _play(name: str, says: str, pieces: int, *args: str, core: str = "", alive: bool = True) -> Proof:
    """A proof by ``ochibot play``. ``alive``: the game must not end; otherwise it restarts after a game over."""
    command = ("play", "--pieces", str(pieces), *args, *(() if alive else ("--restart",)))
    chosen = ("--core", core) if core else ()
    return Proof(name, says, (*command, *chosen), _agrees(pieces, alive), _play_figures, core=core)


def _megadrive_figures(report: Report) -> str:
    parts = ("fields", "scores", "pieces", "nuisance", "dues", "winners", "free_winners", "free_locks")
    compared = ", ".join(f"{part} {report[part]['compared']:,}" for part in parts)
    different = sum(report[part]["different"] for part in parts)
    return (
        f"{report['rounds']} rounds ({report['decided']} decided), {report['locks']:,} locks, "
        f"{report['nuisance_sent']:,} nuisance, best chain {report['best_chain']}, {report['cheaper']} locks after "
        f"margin time began, {report['all_clears']} all clears; compared: {compared}; different {different}; "
        f"frames off {report['frames_off']}"
    )


def _bench_console(report: Report) -> str:
    return (
        f"bare {report['bare_fps']:,.0f}, console {report['console_fps']:,.0f} ({report['console_ratio']:.1%}), whole "
        f"loop {report['play_fps']:,.0f} frames/s ({report['play_ratio']:.1%})"
    )


def _bench_pilot(report: Report) -> str:
    return "; ".join(
        f"speed {row['speed']}: {row['control_frames']:.1f} frames under control (least {row['least_frames']:.1f}, "
        f"ratio {row['ratio']:.2f}), {row['pieces_per_minute']:.1f} pieces/minute, misplaced {row['misplaced']}"
        for row in report["rows"]
    )


def documented_speeds() -> dict[int, float]:
    """Pieces per minute by speed, as docs/speed.md says."""
    text = (ROOT / "docs/speed.md").read_text(encoding="utf-8")
    lines = text[text.index("| speed |") :].split("\n\n")[0].splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")][1:]
    return {int(row[0]): float(row[4]) for row in rows}


def _pilot_holds(report: Report) -> bool:
    """Whether speed 10 is fast enough, each speed is faster than the one before, and all match docs/speed.md."""
    rows = report["rows"]
    rates = [row["pieces_per_minute"] for row in rows]
    rising = all(slower < faster for slower, faster in itertools.pairwise(rates))
    said = documented_speeds()
    same = len(said) == len(rows) == 11 and all(said[row["speed"]] == row["pieces_per_minute"] for row in rows)
    return rising and same and all(row["ratio"] <= 1.1 for row in rows if row["speed"] == 10)


def _battle_holds(report: Report) -> bool:
    whole = report["pieces"] == report["compared"] > 0 and report["agreement"] == 1.0
    return whole and bool(report["stopped_by"] == "games")


def _battle_figures(report: Report) -> str:
    low, high = report["win_rate_interval"]
    first, second = report["wins"]
    return (
        f"{report['games']} games in {report['seconds']:,.0f} s, wins {first} to {second}, draws {report['draws']} "
        f"(first: {low:.1%} to {high:.1%}), locks {report['pieces']:,}, compared {report['compared']:,}, agreement "
        f"{report['agreement']:g}, cut off {report['cut_off']}, nuisance sent {sum(report['nuisance_sent']):,}"
    )


def _hardware_figures(report: Report) -> str:
    modes = "; ".join(
        f"{mode}: {part['frames']:,} frames, overruns {part['logic_overruns']}, sprite overflows "
        f"{part['sprite_overflows']}, forbidden PPU writes {part['illicit_writes']}, longest frame "
        f"{part['longest_logic_cycles']:,} of 29,780 cycles"
        for mode, part in ((name, report[name]) for name in ("endless", "two_players"))
    )
    cores = "; ".join(
        f"{report[name]['compared']:,} frames on both cores, {report[name]['different']} differ"
        for name in ("cores_endless", "cores_two_players")
        if report.get(name)
    )
    return (
        f"NMI at most {max(report['nmi_fullest_queues'].values()):,} cycles; {modes}; {cores or 'no second core here'}"
    )


BOARD_BUDGETS = {
    "nothing_to_clear": 44e6,
    "search_leaves": 28e6,
    "leaves_that_clear": 14e6,
    "full_boards": 6e6,
    "chain_19": 1.6e6,
}
"""How many boards of each kind the engine must resolve per second, at least (the design's budgets)."""


def _memory_figures(report: Report) -> str:
    return (
        f"{_play_figures(report)}; resident memory {report['megabytes_at_start']:.1f} MB at the start, "
        f"{report['megabytes_after_1000']:.1f} after 1,000 pieces, {report['megabytes_at_end']:.1f} at the end "
        f"(most growth after 1,000: {report['growth']:.1f})"
    )


LEAST_INPUTS, MOST_SECONDS = 8_000, 900


def _fuzz_holds(report: Report) -> bool:
    return bool(report["holds"]) and report["inputs"] >= LEAST_INPUTS and report["seconds"] <= MOST_SECONDS


def _fuzz_figures(report: Report) -> str:
    kinds = "; ".join(
        f"{kind} {', '.join(f'{number:,} {verdict}' for verdict, number in count.items() if number)}"
        for kind, count in report["kinds"].items()
    )
    return f"{report['inputs']:,} inputs in {report['seconds']:,.0f} s, {report['failed']} failed: {kinds}"


def _search_holds(report: Report) -> bool:
    fast = report["leaves_per_second"] >= 9e6 and report["decisions_per_second"] >= 24_000
    boards = all(report["boards_per_second"][kind] >= least for kind, least in BOARD_BUDGETS.items())
    ratio = report["ratio"]  # None without a C compiler: then nothing is proven
    return fast and boards and ratio is not None and ratio >= 0.88 and (report["threads_speedup"] or 2.0) >= 1.8


def _search_figures(report: Report) -> str:
    def of_c(ratio: float | None) -> str:
        return "no C here" if ratio is None else f"{ratio:.0%} of C"

    boards = ", ".join(
        f"{kind.replace('_', ' ')} {rate / 1e6:.1f} M ({of_c(report['boards_ratio'].get(kind))})"
        for kind, rate in report["boards_per_second"].items()
    )
    threads = f"; two threads {report['threads_speedup']:.2f} times one" if report["threads_speedup"] else ""
    return (
        f"{report['leaves_per_second'] / 1e6:.1f} M leaves/s, {report['decisions_per_second']:,.0f} decisions/s "
        f"({of_c(report['ratio'])}); boards/s: {boards}{threads}"
    )


def _plain(report: Report) -> str:
    """A report as text, without the values that are lists or mappings."""
    return ", ".join(f"{key} {value}" for key, value in report.items() if not isinstance(value, list | dict))


def _record_figures(report: Report) -> str:
    hour, cost = report["hour"], report["cost"]
    return (
        f"{hour['bytes']:,} bytes, verified at {hour['verify_ratio']:.0%} of headless speed, seek "
        f"{hour['seek_seconds']:.2f} s, with dump every=60 {cost['dump_own_ratio']:.0%} of plain play; determinism "
        f"{report['determinism']}"
    )


def _arena_figures(report: Report) -> str:
    return "; ".join(
        f"against {name} {part['wins'][0]} won, {part['wins'][1]} lost, {part['draws']} drawn (95 %: "
        f"{part['interval'][0]:.1%} to {part['interval'][1]:.1%})"
        for name, part in ((name, report[name]) for name in ("random", "greedy"))
    )


def _match_figures(report: Report) -> str:
    return (
        f"{report['rounds']} rounds, {report['decided']} decided, {report['locks']:,} locks; fields "
        f"{report['fields']}, nuisance {report['nuisance']}, frames off {report['frames_off']}; winners with nothing "
        f"given but the deal {report['free_winners']}"
    )


def _variants(parts: Report) -> str:
    return ", ".join(
        f"{name} {part['compared']} of {part['pieces']}"
        + (f" ({part['misplaced']} misplaced)" if part["misplaced"] else "")
        for name, part in parts.items()
    )


def _calibrated(runs: Report) -> str:
    return ", ".join(f"{name} {run['agreement']:g} of {run['pieces']}" for name, run in runs.items())


def _find_figures(report: Report) -> str:
    left = ", ".join(f"{pairs}: {row['mean']:,.1f}" for pairs, row in report["candidates"].items() if int(pairs) <= 16)
    settled, following = report["settled"], report["next_alike"]["10"]
    return (
        f"{report['found']} of {report['games']} found among {report['states']:,} in {report['seconds']:,.0f} s "
        f"({report['processor_seconds']:,.0f} s of processor time, {report['threads']} threads); candidates left on "
        f"average after so many pairs: {left}; after ten {following['1']:.1%} of them deal the next pair like the one "
        f"looked for, {following['8']:.1%} the next eight; all that are left deal alike after "
        f"{settled['median']:g} pairs (median; at most {settled['most']}); {report['ranges_different']} of "
        f"{report['ranges_compared']} ranges differ"
    )


def _retroarch_figures(report: Report) -> str:
    parts = [
        f"{name.replace('_', ' ')} {one['pieces']:,} pieces, agreement {one['agreement']:.6g}, frames missed "
        f"{one['missed']:,}, delay {one['delay']}, misses {one['misses']}"
        for name, one in report.items()
        if isinstance(one, dict)
    ]
    return "; ".join((*parts, f"writes {sum(one['writes'] for one in report.values() if isinstance(one, dict))}"))


def _find(generator: str, says: str, pairs: str) -> Proof:
    """A proof of ``ochibot deal --find``: it searches for 20 random states in one pass."""
    return Proof(
        f"find-{generator}",
        says,
        ("--generator", generator, "--games", "20", "--pairs", pairs),
        lambda report: bool(report["holds"]) and report["seconds"] <= 2400,
        _find_figures,
        module="tests.puyo.pairs.proof",
    )


HARD = ("--level", "4", "--colors", "5")

ITEMS = (*HARD, "--items", "both")
GRID = [
    (level, colors, items)
    for level in "1234"
    for colors in "456"
    for items in (("off", "both") if (int(level) + int(colors)) % 2 else ("big", "carbuncle"))
]
"""Every level with every number of colours, each with two choices of items: 24 runs of 834 pieces, 20,016 in all."""

CONSOLES = {
    "gb": "the Game Boy",
    "gg": "the Game Gear",
    "sms": "the Master System",
    "snes": "the Super Famicom",
    "pce": "the PC Engine",
    "gba": "the Game Boy Advance",
}
"""The titles of Kodama, with their consoles."""


def _kodama(report: Report) -> bool:
    """Whether 500 pieces were played, and each did what was predicted."""
    whole = report["pieces"] == report["compared"] == 500
    return bool(whole and report["misplaced"] == 0 and report["agreement"] == 1.0)


def _kodama_figures(report: Report) -> str:
    return (
        f"{report['compared']:,} of {report['pieces']:,} compared, {report['misplaced']} misplaced, agreement "
        f"{report['agreement']:g}, game overs {report['game_overs']}, score {report['score']:,}, best chain "
        f"{report['best_chain']}, {report['frames_per_second']:,.0f} frames/s on {report['core']}"
    )


PROOFS = (
    _play("endless-500", "500 pieces from power-on, as make play does", 500, "--seed", "1"),
    _play("endless-5000", "5,000 pieces at level 4 with 5 colours", 5000, *HARD, "--seed", "3"),
    _play("endless-5000-again", "the same seed again: the same RAM", 5000, *HARD, "--seed", "3"),
    _play("endless-nestopia", "the same game on the second core", 2000, *HARD, "--seed", "3", core="nestopia"),
    _play("endless-4", "2,000 pieces at level 4 with 4 colours", 2000, "--level", "4", "--colors", "4", "--seed", "8"),
    _play("endless-6", "2,000 pieces at level 4 with 6 colours", 2000, "--level", "4", "--colors", "6", "--seed", "9"),
    _play("items-fceumm", "5,000 pieces with both items", 5000, *ITEMS, "--seed", "3", alive=False),
    _play("items-nestopia", "the same on the second core", 5000, *ITEMS, "--seed", "3", core="nestopia", alive=False),
    Proof(
        "endless-20000",
        "20,000 pieces at level 4 with 5 colours and both items, in one process: agreement 1 and flat memory",
        ("--pieces", "20000"),
        lambda report: bool(report["holds"]),
        _memory_figures,
        module="tests.play.proof",
    ),
    *(
        _play(
            f"grid-{level}-{colors}-{items}",
            f"the engine against the cartridge: level {level}, {colors} colours, items {items}",
            834,
            *("--level", level, "--colors", colors, "--items", items, "--seed", f"{int(level) * 10 + int(colors)}"),
            alive=False,
        )
        for level, colors, items in GRID
    ),
    *(
        Proof(
            f"kodama-{name}",
            f"500 pieces of Kodama on {console}",
            ("play", name, "--pieces", "500", "--seed", "1", "--restart"),
            _kodama,
            _kodama_figures,
        )
        for name, console in CONSOLES.items()
    ),
    *(
        Proof(
            f"kodama-{name}-battle",
            f"10 battles of Kodama on {CONSOLES[name]}",
            ("battle", name, "--games", "10", "--seed", "1"),
            _battle_holds,
            _battle_figures,
        )
        for name in ("sms", "snes", "pce")
    ),
    Proof(
        "hardware",
        "the cartridge true to the hardware, in a cycle-exact simulation, and the same on both cores",
        ("--frames", "20000"),
        lambda report: bool(report["holds"]),
        _hardware_figures,
        module="tests.homebrew.famicom.proof",
    ),
    Proof(
        "battles",
        "50 battles of two equal players",
        ("battle", "--games", "50", "--seed", "1"),
        lambda report: _battle_holds(report) and report["seconds"] < 1200,
        _battle_figures,
    ),
    Proof(
        "two-ply-beats-one-ply",
        "the article player beats its own one-ply version",
        ("battle", "--games", "20", "--plies2", "1", "--seed", "11"),
        lambda report: _battle_holds(report) and report["win_rate_interval"][0] > 0.5,
        _battle_figures,
    ),
    Proof(
        "match-replay",
        "100 cartridge rounds replayed in the simulated match: fields, nuisance, frames, winners",
        ("--rounds", "100"),
        lambda report: bool(report["holds"]),
        _match_figures,
        module="tests.lab.cartridge.replay",
    ),
    _find("tsu", "20 random states of Puyo Puyo Tsu found by five pairs each, in one pass over all 2^32", "5"),
    _find("puyo1", "20 random states of Puyo Puyo 1 found by five pairs each, in one pass over all 2^32", "5"),
    _find("modern", "20 random seeds of the modern games found by three pairs each", "3"),
    Proof(
        "nyaa-reference",
        "ignition values against a naive reference that runs no waves",
        ("--boards", "100000"),
        lambda report: bool(report["holds"]),
        lambda report: f"mvs {report['mvs']}; ps2 {report['ps2']}",
        module="tests.nyaa.proof",
    ),
    Proof(
        "variants-500",
        "twelve games that differ from ours, each played from its game file, maps and rules alone: 500 pieces each",
        ("--pieces", "500"),
        lambda report: bool(report["holds"]),
        lambda report: f"{_variants(report['endless'])}. Two seats: {_variants(report['versus'])}",
        module="tests.variants.proof",
    ),
    Proof(
        "calibrate-all",
        "each variant learnt from its ROM alone and from documented addresses, our own games from their ROMs alone: "
        "all as the truth says, and an exam of 300 pieces",
        (),
        lambda report: bool(report["holds"]) and report["slowest"] < 300,
        lambda report: (
            f"{len(report['runs'])} runs, the slowest in {report['slowest']:.0f} s; {_calibrated(report['runs'])}"
        ),
        module="tests.experiments.proof",
    ),
    # only where the user has these games
    *(
        (
            Proof(
                "calibrate-foreign",
                "four games that others wrote, in the folder OCHIBOT_FOREIGN, learnt from their ROMs alone: what is "
                "known of them is in the maps; one plays 300 pieces, of the others 60 pieces land as predicted; where "
                "no source is known, the picture shows the fields as the maps say",
                (),
                lambda report: bool(report["holds"]),
                lambda report: "; ".join(
                    f"{name}: {game['agreement']:g} of {game['pieces']} ({game['exam']}), "
                    f"{game['processor_seconds']:.0f} s"
                    + (
                        f", {game['shown']:.2%} of {game['cells_compared']:,} cells shown"
                        if game["cells_compared"]
                        else ""
                    )
                    for name, game in report["games"].items()
                ),
                module="tests.experiments.foreign",
            ),
        )
        if os.environ.get("OCHIBOT_FOREIGN")
        else ()
    ),
    Proof(
        "neogeo-cartridge",
        "the Neo Geo cartridge against the rules: random locks, VS rounds replayed, opened 50 times in one process",
        (),
        lambda report: bool(report["holds"]),
        lambda report: f"locks {report['locks']}; versus {report['versus']}; opened {report['opened']} times",
        module="tests.homebrew.neogeo.proof",
    ),
    Proof(
        "megadrive-cartridge",
        "the Mega Drive cartridge: the pools of 1,000 start states as Python's generator makes them, random locks and "
        "presses by the rules, no frame too long",
        (),
        lambda report: bool(report["holds"]),
        lambda report: _plain(
            {
                f"{part} {key}": value
                for part in ("pools", "locks", "moves", "rounds")
                for key, value in report[part].items()
            }
        ),
        module="tests.homebrew.megadrive.proof",
    ),
    Proof(
        "megadrive-5000",
        "5,000 pieces of the Mega Drive game: fields, scores, and the pairs foretold by the pools in RAM and by the "
        "generator",
        ("--pieces", "5000", "--json", "-"),
        lambda report: bool(report["holds"]) and report["pieces"] == 5000,
        lambda report: (
            f"{_play_figures(report)}; pairs foretold {report['foretold']:,}, wrong {report['foretold_wrong']}; dealt "
            f"otherwise than the generator {report['dealt_otherwise']} of {report['dealt']:,}"
        ),
        module="tests.games.tsu.proof",
    ),
    Proof(
        "megadrive-match",
        "50 versus rounds of the Mega Drive game replayed exactly in the simulated match",
        ("--rounds", "50", "--json", "-"),
        lambda report: bool(report["holds"]) and report["rounds"] == 50,
        _megadrive_figures,
        module="tests.lab.megadrive.replay",
    ),
    Proof(
        "bench-console-megadrive",
        "the whole loop of the Mega Drive game without decisions is at least 90 % of a bare loop",
        ("bench", "console", "tsu", "--rounds", "15"),
        lambda report: report["play_ratio"] >= 0.9,
        _bench_console,
    ),
    Proof(
        "neogeo-battles",
        "50 VS rounds, bot against bot, in FBNeo: each field and each attack as the rules say",
        ("battle", "nyaa", "--games", "50", "--max-pieces", "200", "--seed", "1"),
        _battle_holds,
        _battle_figures,
    ),
    Proof(
        "nyaa-arena",
        "the two-ply player against random placement and against greedy one-ply, in the simulated match",
        ("--games", "200", "--json", "-"),
        lambda report: bool(report["holds"]),
        _arena_figures,
        module="ochibot.lab.nyaa.arena",
    ),
    Proof(
        "bench-console-neogeo",
        "the same for the Neo Geo",
        ("bench", "console", "nyaa", "--rounds", "15", "--frames", "2000"),
        lambda report: report["play_ratio"] >= 0.9,
        _bench_console,
    ),
    Proof(
        "records",
        "an hour of Endless recorded in 3 MB and verified at 70 % of headless speed; differences found and named",
        (),
        lambda report: bool(report["holds"]),
        _record_figures,
        module="tests.record.proof",
    ),
    Proof(
        "fuzz",
        "damaged inputs of every kind: each is taken, or refused in one line; no process dies or hangs",
        ("--seed", "1", "--json", "-"),
        _fuzz_holds,
        _fuzz_figures,
        module="tests.fuzz",
    ),
    Proof(
        "fceux",
        "exported movies end in FCEUX as in our own core",
        (),
        lambda report: bool(report["holds"]),
        lambda report: f"skipped: {report['skipped']}" if report.get("skipped") else _plain(report),
        module="tests.record.movies.fceux_proof",
    ),
    Proof(
        "web-engine",
        "the calculator in the browser against the one in Python: values, ranges, outcomes, heat maps, best moves",
        ("--boards", "50000"),
        lambda report: bool(report["holds"]),
        _plain,
        module="tests.ui.web.engine",
    ),
    Proof(
        "web-latency",
        "the page shows a value within 16 ms of the press (95 % of presses), on a mixed and on a dense board",
        (),
        lambda report: bool(report["mixed"]["holds"] and report["dense"]["holds"]),
        lambda report: f"mixed {report['mixed']}; dense {report['dense']}",
        module="tests.ui.web.latency",
    ),
    Proof(
        "web-picture",
        "the picture reader reads 99 % of the cells in screenshots of our game that it wasn't taught on",
        (),
        lambda report: bool(report["holds"]),
        lambda report: f"moments of play: {report['calm']}; false boards: {report['boards found where there is none']}",
        module="tests.ui.web.picture",
    ),
    Proof(
        "bench-nyaa",
        "at least 400,000 ignition values a second on the hardest boards",
        ("bench", "nyaa"),
        lambda report: bool(report["holds"]),
        lambda report: f"slowest {report['slowest']}",
    ),
    Proof(
        "bench-search",
        "the engine's budgets, beside the same work in C",
        ("bench", "search", "--threads", "2", "--rounds", "9"),
        _search_holds,
        _search_figures,
    ),
    Proof(
        "bench-search-tsu",
        "the same for the Tsu geometry",
        ("bench", "search", "--rules", "tsu", "--rounds", "9"),
        _search_holds,
        _search_figures,
    ),
    Proof(
        "retroarch",
        "a stock RetroArch without a screen: 1,000 pieces and 20 battles while the game runs on, agreement at least "
        "99.5 %; in lockstep 1, and no frame missed; no command that writes memory",
        (),
        lambda report: bool(report.get("holds")),
        _retroarch_figures,
        module="tests.console.retroarch_proof",
    ),
    Proof(
        "bench-console",
        "the whole loop without decisions is at least 90 % of a bare loop",
        ("bench", "console", "--rounds", "15"),
        lambda report: report["play_ratio"] >= 0.9,
        _bench_console,
    ),
    Proof(
        "bench-pilot",
        "speed 10 needs at most 1.1 times the least frames; each speed as docs/speed.md says, faster with each step",
        ("bench", "pilot", "--speeds", "0,1,2,3,4,5,6,7,8,9,10", "--pieces", "200", "--seed", "2", "--colors", "5"),
        _pilot_holds,
        _bench_pilot,
    ),
)
