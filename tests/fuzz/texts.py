"""Inputs that are texts: YAML files, boards, fields, pairs, states of generators, and requests to the web page."""

from __future__ import annotations

import asyncio
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from ochibot.errors import OchibotError

from tests.fuzz.mutate import ODD_TEXTS, changed_tree, gently_changed_tree, spoilt, spoilt_text, spoilt_yaml
from tests.fuzz.seeds import CONFIGS, MAPS, ROOT, games
from tests.fuzz.trial import Trial

CHILD = 0.02
"""The share of these inputs that run in a process of their own. Starting it takes a second."""

SHORT = ("--frames", "40", "--seed", "1")


@cache
def _texts(folder: Path) -> list[tuple[str, str]]:
    """The name and text of each YAML file below a folder, in the order of names."""
    return [
        (str(path.relative_to(folder)), path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.yaml"))
    ]


def _spoilt_file(dice: random.Random, folder: Path, name: str) -> tuple[str, str]:
    """Writes a damaged copy of a random seed to ``name``. Returns the title that it is for, and the seed's name."""
    known = _texts(folder)
    seed, text = dice.choice(known)
    Path(name).write_bytes(spoilt_yaml(dice, text, [other for _, other in known]))
    return "nyaa" if "nyaa" in seed and "nyaa" in games() else "puyo", seed


def players(dice: random.Random, _: Path) -> Trial:
    """A damaged player file, and some frames played with it."""
    game, _seed = _spoilt_file(dice, CONFIGS / "players", "player.yaml")
    return Trial(("play", game, "--player", "player.yaml", *SHORT), dice.random() < CHILD)


def rules(dice: random.Random, _: Path) -> Trial:
    """A damaged rules file, and some frames played by it. It is only loaded if playing needs kernels compiled anew."""
    from ochibot.puyo.kernels.engine import uses_pext
    from ochibot.puyo.rules.file import load_rules
    from ochibot.puyo.rules.profile import Rules

    game, _seed = _spoilt_file(dice, CONFIGS / "rules", "rules.yaml")
    play = ("play", game, "--rules", "rules.yaml", *SHORT)

    def load() -> None:
        from ochibot.games import find_game
        from ochibot.games.choosing import find_rules

        find_rules(find_game(game), "rules.yaml")

    try:
        loaded: object = load_rules("rules.yaml")
    except OchibotError:
        loaded = None
    except Exception:
        return Trial(play, call=load)
    shipped = {load_rules(name).geometry(uses_pext()) for name in ("famicom", "tsu")}
    if isinstance(loaded, Rules) and loaded.geometry(uses_pext()) not in shipped:
        return Trial(play, call=load)
    return Trial(play, dice.random() < CHILD)


def _entry(**told: object) -> dict[str, object]:
    return {"source": "calibrated", **told}


_POINTER = {"address": 0x7E0, "type": "u16le", "offset": 0x300}

FORMS: tuple[dict[str, Any], ...] = (
    {
        "entries": {
            "score": _entry(address=0x7F0, count=6, stride=1, digits="decimal", zero=48, order="low_first"),
            "field": _entry(
                address=0x303, rows=13, columns=6, row_stride=16, column_stride=2, top=1, mask=15, shift=0, codes="puyo"
            ),
            "x": _entry(address=0x669, type="s8", origin=1, scale=-2, divide=2, offset=1),
            "orientation": _entry(address=0x6D5, mask=3),
        },
        "pair": {"denotes": "partner"},
    },
    {
        "entries": {
            "level": _entry(pointer=_POINTER, digits="bcd"),
            "field": _entry(
                pointer=_POINTER,
                rows=14,
                columns=6,
                row_stride=-6,
                column_stride=1,
                cells_per_byte=2,
                order="high_first",
            ),
            "partner_x": _entry(addresses=[0x7F0, 0x7F2], order="high_first"),
            "partner_y": _entry(address=0x7F4, type="u16be", shift=8),
        },
        "pair": {"denotes": "halves"},
        "signs": {"spawn": {"entry": "spawning", "rises": True}, "control": {"entry": "phase", "is": [2]}},
    },
    {
        "signs": {
            "spawn": {"any": [{"entry": "phase", "is": 1}, {"all": [{"entry": "wins", "changes": True}]}]},
            "over": {"entry": "phase", "is_not": [0, 1, 2, 3, 4]},
            "paused": {"entry": "state", "is": 4},
        }
    },
)
"""Parts of maps, in forms that our shipped maps don't use. Only the last part is true of our cartridge."""


def maps(dice: random.Random, _: Path) -> Trial:
    """A damaged RAM map, a shipped one or one that extends a shipped one, and some frames or a game played by it."""
    if dice.random() < 0.35:
        game = dice.choice(games())
        parent = {"puyo": "famicom_puyo", "nyaa": "nyaa_homebrew"}[game]
        base = 0 if game == "puyo" else 0x100000
        own = {"address": base + 0x7F0, "source": "calibrated", "note": True}
        score = {"address": base + 0x7F8, "type": "u16le", "scale": 10, "source": "calibrated"}
        told = {"extends": f"{parent}/player1", "entries": {"score": score, "mine": own, "pending": None}}
        if game == "puyo" and dice.random() < 0.6:
            told = {"extends": "famicom_puyo/player1", **dice.choice(FORMS)}
        changed = gently_changed_tree if dice.random() < 0.5 else changed_tree
        text = json.dumps(changed(dice, told), ensure_ascii=False)
        Path("map.yaml").write_bytes(text.encode("utf-8", "replace"))
    else:
        game, seed = _spoilt_file(dice, MAPS, "map.yaml")
        if "player1.yaml" not in seed:
            # all maps but player1.yaml are for games of two players
            seat = "--map2" if "player2" in seed else "--map1"
            few = ("--games", "1", "--max-pieces", "1", "--seed", "1")
            return Trial(("battle", game, seat, "map.yaml", *few), dice.random() < CHILD)
    return Trial(("play", game, "--map", "map.yaml", *SHORT), dice.random() < CHILD)


def game_files(dice: random.Random, _: Path) -> Trial:
    """A user's game file, damaged. Mostly the file and its map are only loaded; seldom some frames are played."""
    text = (CONFIGS / "games/puyo.yaml").read_text(encoding="utf-8")
    own = text.replace("game: puyo", "game: mine").replace("rom: roms", f"rom: {ROOT}/roms")
    own += "menu: [start until state = 2, up until mode = $mode, start until spawn]\n"
    Path("mine.yaml").write_bytes(spoilt_yaml(dice, own, [other for _, other in _texts(CONFIGS / "games")]))

    def load() -> None:
        from ochibot.games import find_game

        title = find_game("mine.yaml")
        title.load_map(title.map_names(title.solo_mode)[0])

    play = ("play", "mine.yaml", *SHORT)
    return Trial(play, child=True) if dice.random() < CHILD else Trial(play, call=load)


def keys(dice: random.Random, _: Path) -> Trial:
    """A damaged keys file. Mostly it is only loaded; seldom it is used for one frame in an invisible window."""
    Path("keys.yaml").write_bytes(spoilt_yaml(dice, (CONFIGS / "keys.yaml").read_text(encoding="utf-8")))
    command = ("play", "--window", "--keys", "keys.yaml", "--frames", "1", "--seed", "1")

    def load() -> None:
        from ochibot.ui.keys import load_keys

        load_keys(Path("keys.yaml"))

    return Trial(command, child=True) if dice.random() < CHILD else Trial(command, call=load)


BOARDS = (
    "R......\nr......",
    "...G...\n...g...\n..ggg..\n..g.g..\n..ggg..\n..g....",
    ".b.....\nRB.....\n\n.......\nrrgbyoo\nRGBYRGB",
    "\n".join(["rrrRrrr", "rrrrrrr", "rrrrrrr", "rrrrrRr", "rrrrrrr", "rRrrRrr"]),
)
SIGNS = "....rgbyoRGBY\n\n  x?\té"


def boards(dice: random.Random, _: Path) -> Trial:
    """``ochibot nyaa`` with a board of Pochi & Nyaa, mostly damaged: its value, or a search for the best ignition."""
    if dice.random() < 0.4:
        rows = ("".join(dice.choices("..rrgbyoRGBY", k=7)) for _ in range(dice.randrange(1, 14)))
        text = "\n".join(rows)
    else:
        text = spoilt_text(dice, dice.choice(BOARDS), SIGNS)
    if dice.random() < 0.1:
        text += "\0"
    data = text.encode(dice.choice(("utf-8",) * 9 + ("utf-16",)), "surrogatepass")
    Path("board.txt").write_bytes(spoilt(dice, data) if dice.random() < 0.1 else data)
    asked = dice.choice(
        (
            ("value", "board.txt"),
            ("value", "board.txt", "--steps"),
            ("value", "board.txt", "--json", "-"),
            ("best", "board.txt", "--top", "2"),
            ("best", "board.txt", "--pair", _word(dice, "RB"), "--json", "r.json"),
        )
    )
    return Trial(("nyaa", *asked), dice.random() < CHILD)


def _word(dice: random.Random, text: str, signs: str = "RGBYPC*&?rgb. /o") -> str:
    """The given text as an argument: intact in half of the cases, else damaged."""
    return text if dice.random() < 0.5 else spoilt_text(dice, text, signs)


def explains(dice: random.Random, _: Path) -> Trial:
    """``ochibot explain`` with a field and pairs of Puyo Puyo, intact or damaged."""
    field = "\n".join("".join(dice.choices("....RGBYo", k=6)) for _ in range(dice.randrange(1, 15)))
    drawn = spoilt_text(dice, field, "RGBYPCo. \n/x&*") if dice.random() < 0.6 else field
    if dice.random() < 0.5:
        Path("field.txt").write_bytes(drawn.encode("utf-8", "surrogatepass"))
        where: tuple[str, ...] = ("--field", "field.txt")
    else:
        where = ("--text", drawn.replace("\n", "/").encode("utf-8", "replace").decode())
    more: tuple[str, ...] = ("--next", _word(dice, "BY")) if dice.random() < 0.6 else ()
    rules_ = ("--rules", dice.choice(("famicom", "tsu"))) if dice.random() < 0.3 else ()
    return Trial(("explain", "--pair", _word(dice, "RG"), *more, *where, *rules_), dice.random() < CHILD)


def deals(dice: random.Random, _: Path) -> Trial:
    """``ochibot deal`` with a state of a published game's pair generator, or with pairs to be found."""
    signs = "0123456789abcdefx-_ RGBYP?"
    generator = dice.choice(("tsu", "puyo1", "modern"))
    if dice.random() < 0.4:
        asked: tuple[str, ...] = ("--find", _word(dice, "RR PR ?Y GG", signs))
        if generator != "modern":
            # searching all states takes minutes and would count as a hang
            asked += (
                "--range",
                dice.choice(("0-0x40000", "0x100000-0x140000", "0-0", "5-4", "x", "0x1000", "-", "-1-5")),
            )
    else:
        asked = ("--state", _word(dice, dice.choice(("0x35879de2", "0xffff", "42", "0x0")), signs))
    more = ("--colors", str(dice.choice((3, 4, 5, 5, 4, 2, -1, 10**20)))) if dice.random() < 0.5 else ()
    count = ("--pairs", dice.choice(("1", "128", "10000", "0", "x", "9" * 50))) if dice.random() < 0.5 else ()
    return Trial(("deal", "--generator", generator, *asked, *more, *count), dice.random() < CHILD)


class _RefusedError(OchibotError):
    """The page's server has refused a request, in one sentence."""


def web(dice: random.Random, _: Path) -> Trial:
    """A request to the page's server, as it would come from a socket."""
    body: Any = {"board": dice.choice(BOARDS)}
    if dice.random() < 0.6:
        body = changed_tree(dice, body)
    if dice.random() < 0.4:
        body = {"board": spoilt_text(dice, BOARDS[0], SIGNS)}
    data = json.dumps(body).encode()
    if dice.random() < 0.3:
        data = spoilt(dice, data)
    path, method = "/api/nyaa/value", "POST"
    query = b""
    if dice.random() < 0.4:
        path = spoilt_text(dice, dice.choice(("/nyaa", "/", "/index.html", "/app.js", path)), "/.%\\a\x01")
        method = dice.choice(("GET", "GET", "HEAD", "POST", "PUT", "\x00"))
        query = spoilt(dice, b"b=1ABCDEFGH&view=both")
    headers = [[b"host", b"127.0.0.1:80"], [b"content-type", b"application/json"]]
    headers.append([b"content-length", str(len(data)).encode()])
    if dice.random() < 0.3:
        number = dice.randrange(len(headers))
        headers[number][1] = spoilt(dice, headers[number][1])
    if dice.random() < 0.1:
        odd = dice.choice(ODD_TEXTS).encode("utf-8", "replace")
        headers.append([dice.choice((b"origin", b"sec-fetch-site", b"accept-encoding", b"range")), odd])
    scope = {
        **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http"},
        **{"path": path, "raw_path": path.encode("utf-8", "replace"), "query_string": query, "root_path": ""},
        **{
            "headers": [(name, value) for name, value in headers],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        },
    }
    return Trial(("web",), call=lambda: _answer(scope, data))


@cache
def _app() -> Any:
    from ochibot.ui.web.app import create_app

    return create_app()


def _answer(scope: dict[str, Any], data: bytes) -> str | None:
    status, sent = 0, bytearray()

    left = [data]

    async def receive() -> dict[str, Any]:
        if not left:
            # the client has sent the whole request and waits for the answer
            await asyncio.Event().wait()
        return {"type": "http.request", "body": left.pop(), "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = int(message["status"])
        sent.extend(message.get("body", b""))

    asyncio.run(_app()(scope, receive, send))
    if status >= 500:
        return f"status {status}: {bytes(sent[:500])!r}"
    if status >= 400:
        if scope["method"] == "HEAD":
            raise _RefusedError("it is refused")
        told = json.loads(bytes(sent))
        if set(told) != {"error"}:
            return f"status {status} without a sentence: {told!r}"
        raise _RefusedError(str(told["error"]))
    return None
