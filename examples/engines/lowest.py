#!/usr/bin/env python3
"""An engine for Ochibot in Python: it puts every pair where it comes to rest lowest (docs/engines.md).

Try it:  ochibot play --player "engine:python3 examples/engines/lowest.py"
"""

import json
import sys

# how far each half lies above the axis, by where the partner lies
HALVES = {"up": (0, 1), "down": (0, -1), "left": (0, 0), "right": (0, 0)}


def say(**message):
    print(json.dumps(message), flush=True)


def height(place):
    """Rows are counted from the top, so the greater one is lower. The higher half decides."""
    return place["row"] - max(HALVES[place["partner"]])


def choose(turn):
    in_time = [place for place in turn["legal"] if place["in_time"]] or turn["legal"]
    return max(in_time, key=height)


for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        say(type="ready", protocol=1, name="lowest")
    elif kind == "isready":
        say(type="readyok")
    elif kind == "turn" and message["legal"]:
        best = choose(message)
        say(type="place", id=message["id"], column=best["column"], partner=best["partner"])
    elif kind == "turn":
        say(type="none", id=message["id"])
    elif kind == "quit":
        break
