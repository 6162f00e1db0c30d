"""An engine that commits the fault that its argument names, or does what few engines do."""

import json
import os
import select
import subprocess
import sys
import time

fault = sys.argv[1]
turn = 0
OPTIONS = {
    "options": [
        {"name": "depth", "type": "integer", "default": 2, "min": 1, "max": 9},
        {"name": "style", "type": "choice", "choices": ["calm", "wild"]},
        {"name": "book", "type": "string"},
        {"name": "noisy", "type": "boolean"},
        {"name": "risk", "type": "number", "max": 1},
    ],
    "unnamed": [{"type": "integer"}],
}
ANSWERS: dict[str, dict[str, object]] = {
    "column": {"column": 9, "partner": "up"},
    "truth": {"column": True, "partner": "up"},
    "text": {"column": "1", "partner": "up"},
    "partner": {"column": 1, "partner": ["up"]},
    "empty": {},
}


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        if fault == "mute":
            sys.exit(3)  # before it has answered
        more = {"protocol": 2 if fault == "protocol" else 1, "ponder": fault in ("ponder", "hasty", "frail")}
        say(type="ready", name=fault, unknown={"unknown": 1}, options=OPTIONS.get(fault, []), **more)
    elif kind == "isready":
        say(type="readyok")
    elif fault in ("log", "options") and kind in ("end", "setoption"):
        print(kind, *list(message.values())[1:], file=sys.stderr, flush=True)
    elif kind == "ponder" and fault == "hasty":
        say(type="place", id=message["id"], column=9, partner="up")  # stale when the turn comes
    elif kind == "ponder" and fault == "frail":
        sys.exit(4)
    elif kind == "stop" and fault == "slow":
        say(type="place", id=turn, column=1, partner="up")
    elif kind in ("turn", "hit"):
        turn = message["id"]
        say(type="info", depth=1)
        say(type="place", id=turn - 1, column=99, partner="up")  # stale: dropped
        if fault == "crash" and turn > 2:
            os.abort()
        if fault == "words":
            print("bestmove e2e4", flush=True)
        if fault == "bytes":
            os.write(1, b"\xff\x00\xfe\n")
        if fault == "long":
            os.write(1, b"x" * (1 << 21))
        if fault == "none":
            say(type="none", id=turn)
        if fault in ANSWERS:
            say(type="place", id=turn, **ANSWERS[fault])
        if fault == "children":
            subprocess.run([sys.executable, "-c", "while True: pass"], check=False)
        if fault == "sleep":
            time.sleep(60)
        if fault == "deaf":
            while True:
                pass  # ``stop`` and ``quit`` come, and nobody reads them
        if fault == "slow":
            while not select.select([sys.stdin], [], [], 0)[0]:
                pass  # until ``stop`` comes
        if fault in ("fine", "log", "crash", "options", "ponder", "hasty", "frail"):
            best = max(message["legal"], key=lambda place: int(place["row"]))
            say(type="place", id=turn, column=best["column"], partner=best["partner"])
    elif kind == "quit":
        break
