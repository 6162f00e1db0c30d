"""Measures the time from painting a cell until the new number shows: ``python -m tests.ui.web.latency``. Not a test.

The time runs from the browser's time stamp of the press until the page holds the new number and the whole account,
which lists the tails. For each press, the number and the tails are compared with those of the painted board.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics

from tests.ui.web import share
from tests.ui.web.live import browsing, serving

WATCH = """() => {
    window.delays = [];
    let pressed = null;
    addEventListener("pointerdown", (event) => { pressed = event.timeStamp; }, true);
    // the last to hear of the press: what the page shows now is what it shows in the next frame
    addEventListener("pointerdown", (event) => {
        if (!event.target.closest(".cells")) return;
        const after = performance.now() - pressed;
        const shown = ["mvs", "ps2"].map((name) => [".lane", ".account"].map((part) => {
            const found = document.querySelector(`${part}.${name}`);
            return part === ".lane" ? found.querySelector(".number").textContent
                : [...new Set([...found.querySelectorAll(".chip")].map((chip) => chip.textContent))].sort().join();
        }));
        delays.push({ after, shown });
    });
}"""
WANTED = """(board) => ["mvs", "ps2"].map((name) => {
    const { attack: [low, high], complete, tails } =
        nyaa.ignite(nyaa.parse(board), name, { mostBurns: nyaa.QUICK_BURNS });
    const kinds = [...new Set(tails.map(String))].sort().join();
    return [`${low === high ? low : `${low}–${high}`}${complete ? "" : "+"}`, kinds];
})"""
"""Computes what the page must show at once for each ruleset: the number, and the different tails in the account."""


MOST_MS = 16
"""Milliseconds within which 95 % of the presses must have their number."""
FULL = "rrrrrrr"
DENSE = "\n".join(["rrrRrrr", FULL, FULL, FULL, "rrrrrRr", FULL, FULL, "rRrrRrr", FULL, FULL, "rrRrrrr", FULL])
"""One structure with so many open ties that the page doesn't try them all before painting stops."""
TOOLS = {0: "r", 1: "g", 5: "R"}
"""The tools used: the index of each in the page's list of tools, and the letter of what it paints."""


def mixed(seed: int) -> str:
    """A full board of all colours with several needles."""
    chance = random.Random(seed)
    return "\n".join("".join(chance.choices("rrrrggggbyoRG", k=7)) for _ in range(share.ROWS))


def measure(text: str, paints: int, seed: int) -> list[float]:
    """Paints at least ``paints`` cells. Returns the milliseconds of each.

    A cell whose old content is in TOOLS is painted back at once, so that the board stays much the same.
    """
    chance = random.Random(seed)
    with serving() as url, browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{url}/?view=both&b={share.encode(text)}")
        page.locator(".account-body .chip").first.wait_for()
        page.evaluate(WATCH)
        cells = page.locator(".lane.mvs [role=gridcell]")
        tools = page.locator(".tools input")
        board = list(text.replace("\n", ""))
        delays: list[float] = []

        def press(index: int, tool: int) -> None:
            tools.nth(tool).check()
            cells.nth(index).click()
            board[index] = TOOLS[tool]
            seen = page.evaluate("delays")[len(delays)]
            rows = "\n".join("".join(board[at : at + 7]) for at in range(0, len(board), 7))
            wanted = page.evaluate(WANTED, rows)
            if seen["shown"] != wanted:
                raise AssertionError(f"{seen['shown']} was shown at once, not {wanted}:\n{rows}")
            delays.append(float(seen["after"]))

        while len(delays) < paints:
            tool = chance.choice(list(TOOLS))
            # only cells that the tool would change
            open_cells = [at for at, letter in enumerate(board) if letter != TOOLS[tool]]
            for index in chance.sample(open_cells, min(3, len(open_cells))):
                before = board[index]
                press(index, tool)
                again = next((tool for tool, letter in TOOLS.items() if letter == before), None)
                if again is not None:
                    press(index, again)
        return delays


def report(delays: list[float]) -> dict[str, object]:
    """The report on one board. ``holds``: whether 95 % of the presses had their number within MOST_MS."""
    delays = sorted(delays)
    p95 = delays[int(len(delays) * 0.95)]
    return {
        "measured": len(delays),
        "median_ms": round(statistics.median(delays), 1),
        "p95_ms": round(p95, 1),
        "most_ms": round(delays[-1], 1),
        "below_16_ms": round(sum(delay <= MOST_MS for delay in delays) / len(delays), 3),
        "holds": p95 <= MOST_MS,
    }


def main() -> None:
    """Measure and print the result as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paints", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    boards = {"mixed": mixed(options.seed), "dense": DENSE}
    found = {name: report(measure(text, options.paints, options.seed)) for name, text in boards.items()}
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
