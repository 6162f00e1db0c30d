"""A process that makes and runs the inputs its parent asks for, one by one: ``python -m tests.fuzz.worker``.

A line of JSON on standard input names an input. Two lines on standard output answer: the input's command, then its
verdict. An input that kills or hangs this process is a defect that the parent notices.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import sys
from pathlib import Path

MOST_MEMORY = 8 << 30
"""The most address space of this process, in bytes. An input that makes a command ask for more is a defect."""


def _limit() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """``SEEDS --make KIND …``: make the seeds of these kinds in SEEDS. ``SEEDS FOLDER``: run inputs in FOLDER."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    # standard output is for answers only, but cores may print to it: send their prints elsewhere
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    seeds = Path(sys.argv[1])
    if sys.argv[2] == "--make":
        from tests.fuzz.seeds import make_seeds

        make_seeds(seeds, set(sys.argv[3:]))
        return
    from tests.fuzz.kinds import ALL
    from tests.fuzz.trial import verdict

    _limit()
    place = Path(sys.argv[2])
    os.environ["TMPDIR"] = str(place.parent)
    os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    for line in sys.stdin:
        asked = json.loads(line)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        os.chdir(place)
        dice = random.Random(f"{asked['seed']} {asked['kind']} {asked['number']}")
        trial = ALL[asked["kind"]].make(dice, seeds)
        # the command is reported before it runs, because it may kill this process
        answers.write(json.dumps({"command": trial.told, "limit": trial.limit}) + "\n")
        answers.write(json.dumps({"verdict": verdict(trial)}) + "\n")
        os.chdir(place.parent)


if __name__ == "__main__":
    main()
