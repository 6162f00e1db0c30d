"""Measures the picture reader on screenshots of our own game, in a real Chromium: ``python -m tests.ui.web.picture``.

It teaches the looks of the pieces on a few screenshots of some seeds, and reads screenshots of others. All are of real
play in the core. The truth is RAM's field.
"""

from __future__ import annotations

import argparse
import base64
import collections
import json
import random
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ochibot.nyaa.rules.grid import SYMBOLS

from tests.ui.web.live import browsing, serving
from tests.ui.web.picturedata import NEEDLES, Shot, shots
from tests.ui.web.picturemaking import Made, Rect, made, without_board

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEAST_RIGHT = 0.99
TEACHING = 8
"""Screenshots for blocks, and as many with needles, on which the looks are taught."""

READER = """() => {
    const size = { columns: 7, rows: 12 };
    const guesses = ["empty", "red", "green", "blue", "yellow", "grey"];
    const pieces = Array.from(".rgbyoRGBY", (_, code) => ({ code, guess: guesses[code] ?? null }));
    const { Memory, decoded, patchesOf, readCells, search, settled, leftOut } = ochibotPicture;
    globalThis.looks = new Memory();
    const run = (job) => {
        for (;;) {
            const begun = performance.now();
            const { done, value } = job.next();
            globalThis.longest = Math.max(globalThis.longest ?? 0, performance.now() - begun);
            globalThis.steps = (globalThis.steps ?? 0) + 1;
            if (done) return value;
        }
    };
    const opened = async (file) => {
        const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        return run(search(await decoded(new Blob([bytes])), size));
    };
    const corner = ({ left, top }, at) => (at % 2 ? top : left);
    globalThis.teach = async (file, boards) => {
        const { sums, place } = await opened(file);
        for (const { rect, codes } of boards) {
            const patches = patchesOf(sums, rect.map((side, at) => (side - corner(place, at)) * place.scale), size);
            codes.forEach((code, cell) => code === null || looks.learn(code, patches[cell]));
        }
        return looks.size;
    };
    globalThis.read = async (file) => {
        const start = performance.now();
        const { sums, boards, place } = await opened(file);
        return boards.map(({ rect }) => {
            const best = run(settled(sums, rect, size, looks));
            const { cells } = leftOut(run(readCells(patchesOf(sums, best, size), pieces, looks)), size);
            return {
                rect: best.map((side, at) => side / place.scale + corner(place, at)),
                codes: cells.map(({ code }) => code), sure: cells.map(({ sure }) => sure),
                ms: performance.now() - start,
            };
        });
    };
}"""


def start(page: Page, url: str) -> None:
    """Opens the page and loads the reader, without any looks."""
    page.goto(f"{url}/?b=1")
    page.evaluate(
        """() => new Promise((done, failed) => {
            const script = document.createElement("script");
            Object.assign(script, { src: "picture.js", onload: done, onerror: failed });
            document.head.append(script);
        })"""
    )
    page.evaluate(READER)


def teach(page: Page, shot: Shot, one: Made, only: Container[str] = SYMBOLS) -> None:
    """Teaches the pieces in ``only`` from one screenshot, as a user does who corrects every cell."""
    boards = []
    for seat, rect in one.boards:
        side = shot.sides[seat]
        assert side is not None
        codes = [
            SYMBOLS.index(letter) if letter in only and cell not in side.covered else None
            for cell, letter in enumerate(side.field)
        ]
        boards.append({"rect": rect, "codes": codes})
    file = base64.b64encode(one.file).decode()
    page.evaluate("([file, boards]) => teach(file, boards)", [file, boards])


def _matches(found: Rect, wanted: Rect) -> bool:
    middle = ((wanted[0] + wanted[2]) / 2, (wanted[1] + wanted[3]) / 2)
    return found[0] < middle[0] < found[2] and found[1] < middle[1] < found[3]


def _is_off(found: Rect, wanted: Rect) -> bool:
    cell = ((wanted[2] - wanted[0]) / 7, (wanted[3] - wanted[1]) / 12)
    return any(abs(found[at] - wanted[at]) > 0.3 * cell[at % 2] for at in range(4))


class Tally:
    """Counts of one kind of screenshots."""

    def __init__(self) -> None:
        self.counts: collections.Counter[str] = collections.Counter()
        self.confused: collections.Counter[str] = collections.Counter()
        self.bad: list[str] = []

    def add(self, shot: Shot, one: Made, read: list[dict[str, Any]]) -> None:
        """Counts one screenshot."""
        self.counts["screenshots"] += 1
        left = list(read)
        for seat, rect in one.boards:
            self.counts["boards"] += 1
            found = next((board for board in left if _matches(board["rect"], rect)), None)
            side = shot.sides[seat]
            assert side is not None
            if found is None:
                # all its cells are wrong
                self.counts["boards missed"] += 1
                self.counts["cells"] += len(side.field)
                self.counts["wrong, no board found"] += len(side.field)
                self.bad.append(f"missed: {one.how}")
                continue
            left.remove(found)
            if _is_off(found["rect"], rect):
                self.counts["boards misplaced"] += 1
                self.bad.append(f"misplaced: {one.how}")
            for cell, letter in enumerate(side.field):
                place = "under the pair: " if cell in side.covered else ""
                self.counts[place + "cells"] += 1
                self.counts[place + "needles"] += letter in NEEDLES
                self.counts[place + "doubtful"] += not found["sure"][cell]
                seen = SYMBOLS[found["codes"][cell]]
                self.counts[place + "needles right"] += letter in NEEDLES and seen == letter
                if seen != letter:
                    how = "wrong, in doubt" if not found["sure"][cell] else "wrong, not in doubt"
                    self.counts[place + how] += 1
                    if not place:
                        self.confused[f"{letter} as {seen}"] += 1
        self.counts["false boards"] += len(left)

    def as_dict(self) -> dict[str, object]:
        """All counts, and the share of right cells."""
        wrong = sum(self.counts[key] for key in ("wrong, no board found", "wrong, in doubt", "wrong, not in doubt"))
        right = 1 - wrong / max(1, self.counts["cells"])
        return dict(self.counts) | {"right": round(right, 5), "confused": dict(self.confused), "bad": self.bad}


def measure(page: Page, seeds: list[int], kind: str, count: int) -> Tally:
    """Reads ``count`` screenshots of one kind of moments, an equal part from each seed."""
    tally = Tally()
    for seed in seeds:
        chance = random.Random(seed)
        for shot in shots(seed, -(-count // len(seeds)), kind):
            one = made(shot, chance)
            file = base64.b64encode(one.file).decode()
            tally.add(shot, one, page.evaluate("read", file))
    return tally


def main() -> None:
    """Teach, measure, and print the results as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=int, default=100, help="screenshots of calm moments")
    parser.add_argument("--others", type=int, default=20, help="screenshots of waves, and as many of needles")
    parser.add_argument("--seed", type=int, default=1000, help="the first of the seeds that are tested")
    parser.add_argument("--seeds", type=int, default=5, help="how many seeds are tested")
    parser.add_argument("--teach", type=int, default=7, help="the seed of the screenshots that teach")
    options = parser.parse_args()
    seeds = list(range(options.seed, options.seed + options.seeds))
    with serving() as url, browsing() as browser:
        page = browser.new_page()
        start(page, url)
        chance = random.Random(options.teach)
        for kind, only in (("calm", SYMBOLS), ("needle", NEEDLES)):
            for shot in shots(options.teach, TEACHING, kind):
                teach(page, shot, made(shot, chance), only)
        report: dict[str, Any] = {"looks taught": page.evaluate("looks.size")}
        for kind, count in (("calm", options.shots), ("needle", options.others), ("wave", options.others)):
            report[kind] = measure(page, seeds, kind, count).as_dict()
        false = {}
        media = Path(__file__).parents[3] / "docs/media"
        files = without_board(options.seed)
        files |= {name: (media / name).read_bytes() for name in ("neogeo-title.png", "lab-chances.png", "deal.png")}
        for name, file in files.items():
            false[name] = len(page.evaluate("read", base64.b64encode(file).decode()))
        report["longest step, ms"] = round(page.evaluate("longest"), 1)
        report["boards found where there is none"] = false
        report["holds"] = report["calm"]["right"] >= LEAST_RIGHT and not any(false.values())
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
