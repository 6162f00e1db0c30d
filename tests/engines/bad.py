"""An engine that commits the fault that its argument names."""

import json
import os
import select
import subprocess
import sys
import time

fault = sys.argv[1]
turn = 0


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        if fault == "mute":
            sys.exit(3)  # before it has answered
        say(type="ready", name=fault, protocol=1, more={"unknown": 1})
    elif kind == "isready":
        say(type="readyok")
    elif kind == "end" and fault == "log":
        print(f"end {message['result']}", file=sys.stderr, flush=True)
    elif kind == "stop" and fault == "slow":
        say(type="place", id=turn, column=1, partner="up")
    elif kind == "turn":
        turn = message["id"]
        say(type="info", depth=1)
        say(type="place", id=turn - 1, column=99, partner="up")  # stale: dropped
        if fault == "crash" and turn > 2:
            os.abort()
        if fault == "words":
            print("bestmove e2e4", flush=True)
        if fault == "none":
            say(type="none", id=turn)
        if fault == "column":
            say(type="place", id=turn, column=9, partner="up")
        if fault == "children":
            subprocess.run([sys.executable, "-c", "while True: pass"], check=False)
        if fault == "sleep":
            time.sleep(60)
        if fault == "slow":
            while not select.select([sys.stdin], [], [], 0)[0]:
                pass  # until ``stop`` comes
        if fault in ("fine", "log", "crash"):
            best = max(message["legal"], key=lambda place: int(place["row"]))
            say(type="place", id=turn, column=best["column"], partner=best["partner"])
    elif kind == "quit":
        break
