"""How long it takes from painting a cell to its number: ``python -m tests.ui.web.latency``. Not a test: it measures.

From the browser's time stamp of the press to the change of the number in the page, with the real server on loopback.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics

from bot.ui.web import share
from tests.ui.web.live import browsing, serving

WATCH = """() => {
    window.delays = [];
    let pressed = null;
    addEventListener("pointerdown", (event) => { pressed = event.timeStamp; }, true);
    const note = () => {
        if (pressed !== null) delays.push(performance.now() - pressed);
        pressed = null;
    };
    // the account is written anew with every answer, also where the number stays the same
    for (const account of document.querySelectorAll(".account-body")) {
        new MutationObserver(note).observe(account, { childList: true });
    }
}"""


def measure(paints: int, seed: int) -> list[float]:
    """Milliseconds of each of so many paints on a full board with several needles."""
    chance = random.Random(seed)
    text = "\n".join("".join(chance.choices("rrrrggggbyoRG", k=7)) for _ in range(share.ROWS))
    with serving() as url, browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{url}/nyaa?b={share.encode(text)}")
        page.locator(".account-body .chip").first.wait_for()
        page.evaluate(WATCH)
        cells = page.locator(".lane.mvs [role=gridcell]")
        tools = page.locator(".tools input")
        for done in range(1, paints + 1):
            # turns of tools, so that each press changes its cell
            if done % 10 == 1:
                tools.nth((0, 1, 5)[done // 10 % 3]).check()
            index = chance.randrange(share.ROWS * share.COLUMNS)
            before = page.evaluate("delays.length")
            cells.nth(index).click()
            if page.evaluate("delays.length") == before:
                page.wait_for_timeout(60)
        return [float(delay) for delay in page.evaluate("delays")]


def main() -> None:
    """Measure and print the result as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paints", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    delays = sorted(measure(options.paints, options.seed))
    share_below = sum(delay < 50 for delay in delays) / len(delays)
    report = {
        "measured": len(delays),
        "median_ms": round(statistics.median(delays), 1),
        "p95_ms": round(delays[int(len(delays) * 0.95)], 1),
        "most_ms": round(delays[-1], 1),
        "below_50_ms": round(share_below, 3),
        "holds": delays[int(len(delays) * 0.95)] < 50,
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
