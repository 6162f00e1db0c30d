"""What a browser receives of a real game is what a record of that game shows, frame by frame."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ochibot.console import Made
from ochibot.nyaa.rules.pair import halves as nyaa_halves
from ochibot.puyo.rules.pair import shape
from ochibot.record import Record
from ochibot.record.machine import own_title

from tests.ui.web.livegames import PATIENCE, Stream, running, watched


def replayed(folder: Path) -> dict[int, list[dict[str, Any]]]:
    """For each frame of a record, what its seats show. It is read from grids and values of the map, in a replay."""
    record = Record.open(folder)
    found = own_title(record.manifest, folder)
    assert found is not None
    game, rules = found
    shown: dict[int, list[dict[str, Any]]] = {}
    with record.console() as console:
        console.make(Made.NOTHING) if record.manifest.about.game == "nyaa" else None
        seats = [game.seat(one, console.ram, rules) for one in record.manifest.about.maps]
        for frame in record.replay(console):
            for seat in seats:
                seat.update()
            shown[frame] = [seen(seat) for seat in seats]
    return shown


def seen(seat: Any) -> dict[str, Any]:
    if seat.in_menus():
        return {"seat": seat.number, "phase": "menus"}
    nyaa = seat.family.name == "nyaa"
    letters = ".rgbyoRGBY" if nyaa else ".RGBYPCo"
    grid = seat.map.grid("field")
    value = seat.map.value
    piece: list[list[int]] = []
    state = seat.pair_state() if seat.in_hand() else None
    if state is not None:
        codes = [value("axis"), value("partner")]
        cells = nyaa_halves(state) if nyaa else shape(None, state)
        up, more = (1, 5 if state.needle else 0) if nyaa else (0, 0)
        piece = [[x - 1, y - up, code + more] for (x, y), code in zip(cells, codes, strict=True)]
    nexts = [[value("next_axis"), value("next_partner")]]
    if nyaa:
        nexts.append([value("next2_axis"), value("next2_partner")])
    return {
        "field": "".join(letters[code] if code < len(letters) else "?" for code in grid.ravel()),
        "piece": piece,
        "next": nexts,
        "score": seat.score(),
        "waiting": seat.pending(),
    }


def agree(states: list[dict[str, Any]], shown: dict[int, list[dict[str, Any]]]) -> int:
    """Asserts that states show what the record shows. Returns how many of them show a game in play."""
    played = 0
    for state in states:
        for said in state["seats"]:
            if said["phase"] == "menus":
                continue
            wanted = shown[state["frame"]][said["seat"] - 1]
            assert {name: said[name] for name in wanted} == wanted, state["frame"]
            played += 1
    return played


@pytest.mark.long
def test_a_game_of_puyo_puyo(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    words = ("--seed", 4, "--frames", 420, "--record", folder, "--pace", 1, "--port", 0, "--json", tmp_path / "told")
    found, printed = watched("play", "--web", *words)
    assert "no code" not in printed
    played = agree(found["state"], replayed(folder))
    frames = [state["frame"] for state in found["state"]]
    assert frames == sorted(set(frames)), "no state comes twice or late"
    # on a busy machine some frames may be missed, never most of them
    assert played > 250, (played, len(frames))
    (end,) = found["end"]
    assert end["why"] == "frames"
    assert frames[-1] == end["frame"] == Record.open(folder).frames
    about = found["about"][-1]
    assert (about["game"], about["rules"], about["best"]) == ("puyo", "famicom", "chain")
    assert about["seats"] == [{"seat": 1, "titles": ["article", "speed 10"]}]
    last = found["state"][-1]["seats"][0]
    told = json.loads((tmp_path / "told").read_text())
    assert (last["score"], last["pieces"], last["missed"]) == (told["score"], told["pieces"], 0)
    assert plans_hold(found["state"], 1) > 3


def plans_hold(states: list[dict[str, Any]], seat: int) -> int:
    """Asserts that each planned place was where the piece was seen last. Returns how many plans there were. Where the
    frame after that one was missed, on a busy machine, the piece may have gone on, and its plan doesn't count.
    """
    before: dict[int, tuple[set[tuple[int, ...]], dict[str, Any], int]] = {}
    frames = {state["frame"] for state in states}
    for state in states:
        said: dict[str, Any] = next((one for one in state["seats"] if one["seat"] == seat), {})
        plan = said.get("plan")
        if plan is not None:
            before[plan["number"]] = {tuple(cell) for cell in said["piece"]}, plan, state["frame"]
    held = 0
    for piece, plan, frame in [*before.values()][:-1]:
        if frame + 1 not in frames:
            continue
        # halves fall on after a lock, so columns and codes are compared; a half above the field comes to rest nowhere
        planned = Counter((x, code) for x, _, code in plan["cells"])
        assert planned
        assert planned <= Counter((x, code) for x, _, code in piece)
        assert tuple(plan["way"][-1]) in {(x, y) for x, y, _ in piece}
        held += 1
    return held


@pytest.mark.long
def test_a_game_of_pochi_and_nyaa(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    found, _ = watched(
        *("play", "nyaa", "--web", "--seed", 2, "--frames", 900, "--record", folder, "--pace", 1, "--port", 0)
    )
    assert agree(found["state"], replayed(folder)) > 600
    assert plans_hold(found["state"], 1) > 10
    assert found["about"][-1]["board"]["needles"] is True
    reaches = [one["1"]["made"] for one in found["reach"] if one["1"] is not None]
    assert max(reaches) > 0


@pytest.mark.long
def test_a_battle(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    words = ("--games", 1, "--max-pieces", 14, "--seed", 3, "--record", folder, "--pace", 1, "--port", 0)
    found, _ = watched("battle", "--web", *words)
    states = found["state"]
    assert agree(states, replayed(folder)) > 900
    assert plans_hold(states, 1) > 5
    assert plans_hold(states, 2) > 5
    assert [one["seat"] for one in found["about"][-1]["seats"]] == [1, 2]
    # who comes late on a busy machine sees no menus
    assert {said["phase"] for state in states for said in state["seats"]} >= {"falling", "settling"}
    assert max(said.get("chain", 0) for state in states for said in state["seats"]) > 0


@pytest.mark.parametrize(
    ("words", "titles", "advised"),
    [
        pytest.param(("versus",), [["you"], ["article", "speed 3"]], False, marks=pytest.mark.long),
        pytest.param(
            ("coach", "--match"), [["you", "coach: versus"], ["article", "speed 3"]], True, marks=pytest.mark.long
        ),
    ],
)
def test_a_person_plays_in_a_window(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], titles: list[list[str]], advised: bool
) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    with running(*words, "--web", "--port", 0) as (process, address, _):
        fields: set[str] = set()
        named: list[list[str]] = []
        for kind, content in Stream(address).read():
            if kind == "about" and content["seats"]:
                named = [one["titles"] for one in content["seats"]]
            if kind != "state" or len(content["seats"]) < 2:
                continue
            mine, other = content["seats"]
            assert (mine["seat"], other["seat"]) == (1, 2)
            if "field" in other:
                fields.add(other["field"])
                assert ("plan" in mine) <= advised
                if len(fields) > 4 and (mine["piece"] and "plan" in other) and ("plan" in mine or not advised):
                    break
        assert named == titles
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0


@pytest.mark.long
def test_a_client_that_never_reads_holds_nothing(tmp_path: Path) -> None:
    with running("play", "--web", "--seed", 1, "--frames", 12_000, "--port", 0, "--json", tmp_path / "told") as (
        process,
        address,
        _,
    ):
        deaf = [Stream(address) for _ in range(5)]
        reader = Stream(address)
        got = [kind for kind, _ in reader.read()]
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        for one in (*deaf, reader):
            one.close()
    assert got[-1] == "end"
    assert got.count("state") > 5
    told = json.loads((tmp_path / "told").read_text())
    assert (told["frames"], told["stopped_by"], told["agreement"]) == (12_000, "frames", 1)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="ps is asked as on Linux")
def test_the_game_goes_on_without_its_page(tmp_path: Path) -> None:
    """The page's process is killed: the game plays on to its end."""
    with running("play", "--web", "--seed", 1, "--frames", 9_000, "--port", 0, "--json", tmp_path / "told") as (
        process,
        address,
        _,
    ):
        stream = Stream(address)
        next(stream.read())
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True
        ).stdout.split()
        os.kill(int(children[0]), signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    assert json.loads((tmp_path / "told").read_text())["frames"] == 9_000


def test_the_page_s_process_ends_with_a_game_that_is_killed() -> None:
    with running("play", "--web", "--pace", 1, "--port", 0) as (process, address, _):
        stream = Stream(address)
        next(stream.read())
        process.kill()
        kinds = [kind for kind, _ in stream.read()]
        assert "end" not in kinds
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            Stream(address).close()
        except ConnectionRefusedError:
            return
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError("the page is still served")
