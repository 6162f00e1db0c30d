"""Tests of ``ochibot battle --jobs``: games in processes of their own have the same results as in one process."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

from tests.cli.test_bad_input import refused
from tests.commands import ochibot

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")

PLAYER = """
import os, signal, time
class Odd:
    calls = 0
    def choose(self, snapshot):
        Odd.calls += 1
        {body}
        from ochibot.puyo.rules.file import load_rules
        from ochibot.puyo.search.placements import placements
        found = placements(snapshot.field, snapshot.pair, load_rules("famicom"), snapshot.state)
        return found[(7 * Odd.calls) % len(found)]
"""


def odd_player(folder: Path, body: str) -> str:
    """Writes a player to ``folder`` and returns its name for --p1. ``body`` runs before each of its decisions."""
    file = folder / "odd.py"
    file.write_text(PLAYER.format(body=body))
    return f"{file}:Odd"


def fought(*words: object) -> tuple[dict[str, Any], str]:
    """Runs a battle. Returns its report without ``seconds``, and its stderr without the status lines."""
    done = ochibot("battle", *words, "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report.pop("seconds") > 0
    # status lines, and those on kernels that are compiled, depend on timing, so they are left out
    text = [line for line in done.stderr.splitlines() if not line.startswith(("game ", "compil"))]
    text = [line for line in text if "games played" not in line]
    return report, "\n".join(text)


@pytest.mark.long
def test_the_results_are_the_same_however_many_there_are_at_a_time() -> None:
    words = ("--games", 4, "--seed", 5, "--max-pieces", 12, "--speed2", 1)
    alone, text = fought(*words)
    assert alone["games"] == 4
    assert [game["swapped"] for game in alone["games_detail"]] == [False, True, False, True]
    for jobs in (1, 2, 3):
        assert fought(*words, "--jobs", jobs) == (alone, text)


@pytest.mark.long
def test_a_player_that_remembers_begins_each_game_anew(tmp_path: Path) -> None:
    """With --jobs, each game has a process of its own, so the player can't remember earlier games, whatever the number
    of jobs.
    """
    words = ("--games", 3, "--seed", 5, "--max-pieces", 8, "--p1", odd_player(tmp_path, "pass"))
    assert fought(*words, "--jobs", 1) == fought(*words, "--jobs", 3)


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_game_that_dies_is_reported_and_those_before_it_count(tmp_path: Path, jobs: int) -> None:
    """The player isn't told which game it plays: it recognizes the second game by its first two pairs."""
    body = "Odd.first = getattr(Odd, 'first', None) or str(snapshot.pair) + str(snapshot.next_pair)"
    seen = odd_player(tmp_path, f"{body}; open({str(tmp_path / 'deals')!r}, 'a').write(Odd.first + chr(10))")
    words = ("--games", 3, "--seed", 5, "--max-pieces", 3, "--jobs", 1, "--p1")
    fought(*words, seen)
    deals = list(dict.fromkeys((tmp_path / "deals").read_text().split()))
    assert len(deals) == 3
    # the second game writes its process id and kills itself; if the first game runs at the same time, it waits until
    # the second one has ended
    pid = str(tmp_path / "pid")
    ends = f"open({pid!r}, 'w').write(str(os.getpid())); os.kill(os.getpid(), signal.SIGSEGV)"
    there = f"os.path.exists('/proc/' + (open({pid!r}).read() or '1'))"
    waits = f"while not os.path.exists({pid!r}) or {there}: time.sleep(0.01)"
    lines = [body, f"if Odd.first == {deals[1]!r}: {ends}"]
    if jobs > 1:
        # the first game ends after the second one's death; the third never ends, and is killed
        lines += [f"if Odd.first == {deals[0]!r}:", f"    {waits}", "    time.sleep(0.1)"]
        lines += [f"if Odd.first == {deals[2]!r}: time.sleep(3600)"]
    dies = odd_player(tmp_path, "\n        ".join(lines))
    done = ochibot("battle", "--games", 3, *words[2:6], "--p1", dies, "--jobs", jobs, "--json", "-")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("ochibot: the process of game 2 was killed by SIGSEGV; ")
    report = json.loads(done.stdout)
    assert (report["games"], report["stopped_by"], len(report["games_detail"])) == (1, "error", 1)


def test_games_that_have_finished_count_if_the_process_of_an_earlier_one_is_killed(tmp_path: Path) -> None:
    """Once, they didn't count, so no report was written. The first game's process has the lower number."""
    pids = str(tmp_path / "pids")
    lines = [
        "if Odd.calls == 1:",
        f"    open({pids!r}, 'a').write(str(os.getpid()) + chr(10))",
        f"    while len(both := open({pids!r}).read().split()) < 2: time.sleep(0.01)",
        "    if os.getpid() == min(map(int, both)):",
        # it waits until the command has taken the other game's report
        "        while os.path.exists('/proc/' + str(max(map(int, both)))): time.sleep(0.01)",
        "        os.kill(os.getpid(), signal.SIGKILL)",
    ]
    dies = odd_player(tmp_path, "\n        ".join(lines))
    words = ("--games", 2, "--seed", 5, "--max-pieces", 3, "--jobs", 2, "--p1", dies)
    done = ochibot("battle", *words, "--json", "-")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("ochibot: the process of game 1 was killed by SIGKILL; ")
    report = json.loads(done.stdout)
    assert (report["games"], report["stopped_by"]) == (1, "error")
    assert [game["swapped"] for game in report["games_detail"]] == [True]


def test_a_process_that_can_say_nothing_is_reported_by_its_code(tmp_path: Path) -> None:
    """The player closes all open files, so the game is played, but its process can't report the result."""
    closes = odd_player(tmp_path, "os.closerange(3, 256)")
    words = ("--games", 1, "--seed", 5, "--max-pieces", 2, "--jobs", 1, "--p1", closes)
    done = ochibot("battle", *words)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("ochibot: the process of game 1 ended with code 1; ")


@pytest.mark.long
def test_an_error_of_a_player_is_reported_as_without_jobs(tmp_path: Path) -> None:
    fails = odd_player(tmp_path, "1 / (Odd.calls < 5)")
    told = [
        ochibot("battle", "--games", 2, "--seed", 5, "--p1", fails, "--json", "-", *jobs)
        for jobs in ([], ["--jobs", 1], ["--jobs", 2])
    ]
    assert {done.returncode for done in told} == {2}
    assert len({done.stderr.splitlines()[-1] for done in told}) == 1
    reports = [json.loads(done.stdout) for done in told]
    for report in reports:
        report.pop("seconds")
    assert reports[0] == reports[1] == reports[2]
    assert reports[0]["pieces"] > 0


@contextmanager
def running(tmp_path: Path) -> Iterator[tuple[Popen[str], list[int]]]:
    """Runs a battle whose games never end, two at a time. Yields its process and the ids of the games' processes."""
    pids = tmp_path / "pids"
    waits = odd_player(tmp_path, f"open({str(pids)!r}, 'a').write(str(os.getpid()) + chr(10)); time.sleep(600)")
    words = [sys.executable, "-m", "ochibot", "battle", "--games", "5", "--jobs", "2", "--seed", "1", "--p1", waits]
    with Popen(words, stdout=PIPE, stderr=PIPE, text=True, start_new_session=True) as command:
        try:
            while not pids.exists() or len(set(pids.read_text().split())) < 2:
                assert command.poll() is None, command.communicate()
                time.sleep(0.05)
            yield command, [int(word) for word in set(pids.read_text().split())]
        finally:
            command.kill()


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # a zombie (Z) has ended; its parent just hasn't waited for it yet
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.long
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_to_the_command_ends_all_of_them(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with running(tmp_path) as (command, workers):
        assert all(map(is_there, workers))
        command.send_signal(number)
        _, said = command.communicate()
        assert command.returncode == code
        assert said.splitlines()[-1] == "ochibot: interrupted"
        # the command ended only after the processes of its games
        assert not any(map(is_there, workers))


def test_those_of_a_command_that_is_killed_end_too(tmp_path: Path) -> None:
    with running(tmp_path) as (command, workers):
        command.kill()
        # the games' processes share the command's stdout and stderr, so this returns when the last of them has ended
        command.communicate()
        for _ in range(600):
            if not any(map(is_there, workers)):
                break
            time.sleep(0.05)
        else:
            pytest.fail("a game goes on without its command")


def test_what_it_refuses(tmp_path: Path) -> None:
    told = refused("battle", "--jobs", 2, "--record", tmp_path / "run")
    assert "--record works in one process, but --jobs plays in several: leave one of them out" in told
    assert "--window works in one process" in refused("battle", "--jobs", 2, "--window")
    assert "--jobs" in refused("battle", "--jobs", 0)
