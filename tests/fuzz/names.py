"""Inputs in which a file names code, or a name could lead to a file that isn't meant.

While such an input is tried, this process watches what Python does: which modules and libraries it loads, which code it
runs, which files it writes. Whatever comes from the folder of the input, or is written elsewhere, is a defect. So is a
file of the system that is read because the input names it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import yaml
from ochibot.console.cores import is_core_path
from ochibot.data import cache_dir
from ochibot.record.manifest import MANIFEST

from tests.fuzz.mutate import ODD_TEXTS, odd_value, spoilt_text
from tests.fuzz.seeds import CONFIGS, MAPS, copied, games
from tests.fuzz.trial import Trial, inside

SHORT: Final = ("--frames", "20", "--seed", "1")

CODE: Final = (
    *("os:abort", "os:_exit", "subprocess:run", "mine:Mine", "mine.py:Mine", "./mine.py:Mine", "bots/mine.py:Mine"),
    *("../input/mine.py:Mine", "mine.py", "mine", "bots.mine:Mine", "bots:mine", "builtins:exec", "posix:system"),
    *("evil.so", "./evil.so", "evil_libretro.so", "bots/evil.so", "evil.dylib", "EVIL.DLL", "evil", "fceumm"),
    *(
        "!!python/object/apply:os.system [id]",
        "!!python/name:os.abort",
        "${{os.system}}",
        "$(touch ran)",
        "`touch ran`",
    ),
    *("ochibot.games:load_python_file", "ochibot.players:_from_class", "sys:exit", "mine.yaml:Mine", "antigravity"),
)
"""Words that name code in one way or another. ``trap`` makes the files among them."""

SECRET: Final = ("/etc/passwd", "/proc/kmsg", "/dev/zero")
"""Files that words name, and nothing else reads."""

NAMES: Final = (
    *("fceumm", "article", "famicom", "tsu", "puyo", "player1", "famicom_puyo/player1", "nestopia", "nyaa"),
    *("../article", "./article", "bots/../article", "bots//article", "bots/article", "link", "loop", "pipe", "zero"),
    *("/etc/passwd", "/dev/zero", "/dev/stdin", "/proc/self/mem", "/proc/self/environ", "/proc/kmsg", "~/x", "~root"),
    *(
        "..",
        ".",
        "/",
        "",
        " ",
        "x" * 1500,
        "a/" * 700,
        "con",
        "nul",
        "a\\b",
        "..\\..\\x",
        "C:\\x",
        "file:///etc/passwd",
    ),
    *("\0", "a\0b", "\u202eyaml.x", "-o", "--help", "*", "?", "[a]", "{a,b}", "article.yaml", "link.yaml", "-"),
    *("x.so.so", "a.so/b", "fceumm_libretro", "fceumm_libretro.so", "famicom.yaml", "tsu.yaml/.", "article/"),
)

DECOYS: Final = ("fceumm", "article", "famicom", "tsu", "puyo", "nyaa", "nestopia", "player1", "fceumm_libretro.so")
"""Files in the current folder that have the names of cores, players, rules and games."""


MEANT: Final = {"--player": ("article",), "--rules": ("famicom", "tsu")}
"""The names that ship with Ochibot, by the option that takes them. Other words typed there are files."""


class _Watch:
    """What Python's audit events have told since the last ``begin``: the first defect, in words."""

    def __init__(self) -> None:
        self.on = False
        self.defect: str | None = None
        self._folder = ""
        self._mayed: tuple[str, ...] = ()
        self._decoys: frozenset[str] = frozenset()
        self._secret: tuple[str, ...] = ()

    def begin(self, decoys: frozenset[str], secret: tuple[str, ...]) -> None:
        """Begins to watch the input in the current folder. decoys: files in it that mustn't be opened; secret: files
        elsewhere.
        """
        here = Path.cwd()
        self._folder, self.defect = f"{here}/", None
        written = (here, Path(tempfile.gettempdir()), cache_dir(), Path("/dev/null"), Path("/dev/shm"))
        self._mayed = tuple(str(path.absolute()) for path in written)
        self._decoys, self._secret = decoys, secret
        self.on = True

    def __call__(self, event: str, said: tuple[Any, ...]) -> None:
        if not self.on or self.defect is not None:
            return
        if event == "ctypes.dlopen":
            self._inside("loads the library", said[0])
        elif event == "import":
            self._inside("imports", said[1] or "")
            if str(said[0]).partition(".")[0] in ("mine", "bots", "antigravity"):
                self.defect = f"it imports {said[0]}"
        elif event == "exec":
            self._inside("runs the code", getattr(said[0], "co_filename", ""))
        elif event in ("os.system", "os.exec", "os.posix_spawn", "pty.spawn"):
            self.defect = f"it starts {said!r}"
        elif event == "open":
            self._opened(said[0], said[2] if isinstance(said[2], int) else 0)

    def _inside(self, does: str, path: object) -> None:
        if path and str(Path(str(path)).absolute()).startswith(self._folder) and str(path) != "<string>":
            self.defect = f"it {does} {path}"

    def _opened(self, path: object, flags: int) -> None:
        if not isinstance(path, str | bytes):
            return
        name = path.decode("utf-8", "replace") if isinstance(path, bytes) else path
        if "\0" in name:
            return
        place = str(Path(name).absolute())
        if os.path.realpath(place) in self._secret:
            self.defect = f"it reads {place}"
        elif flags & 0x43 and not place.startswith(self._mayed) and "__pycache__" not in place:
            self.defect = f"it writes {place}"
        elif place.removeprefix(self._folder) in self._decoys and place.startswith(self._folder):
            self.defect = f"it opens {name}, a file of the current folder"


_WATCH: Final = _Watch()
_hooked: list[_Watch] = []


def watched(
    act: Callable[[], str | None], decoys: frozenset[str] = frozenset(), *, typed: bool = False
) -> Callable[[], str | None]:
    """The same function, watched. It returns the description of what ran or was written, if anything was.

    typed: the words stand on the command line, where they may name any file.
    """

    def call() -> str | None:
        if not _hooked:
            sys.addaudithook(_WATCH)
            _hooked.append(_WATCH)
        _WATCH.begin(decoys, () if typed else SECRET)
        try:
            found = act()
        finally:
            _WATCH.on = False
        if _WATCH.defect is None and any(path.name == "ran" for path in Path().rglob("ran")):
            return "it runs code"
        return _WATCH.defect or found

    return call


def trap() -> None:
    """Puts code in the current folder, under many names. Whatever of it runs makes a file ``ran``."""
    for folder in (Path(), Path("bots")):
        folder.mkdir(exist_ok=True)
        for name in ("mine.py", "__init__.py"):
            if folder.name or name == "mine.py":
                (folder / name).write_text("open('ran', 'w').close()\nclass Mine:\n    pass\n", encoding="utf-8")
        for name in ("evil.so", "evil_libretro.so", "evil", "evil.dylib", "EVIL.DLL"):
            (folder / name).write_bytes(b"\x7fELF" + bytes(60))


def decoys() -> frozenset[str]:
    """Puts files in the current folder that have the names of other things, and links. Returns those that aren't meant
    by a name.
    """
    for name in DECOYS:
        Path(name).write_text("nothing: 1\n", encoding="utf-8")
    for name, target in (
        ("link", "/etc/passwd"),
        ("link.yaml", "../../x.yaml"),
        ("loop", "loop"),
        ("zero", "/dev/zero"),
    ):
        Path(name).symlink_to(target)
    Path("bots").mkdir()
    Path("bots/article").write_text("nothing: 1\n", encoding="utf-8")
    Path("article.yaml").write_text((CONFIGS / "players/article.yaml").read_text("utf-8"), encoding="utf-8")
    return frozenset(DECOYS) - {"fceumm_libretro.so"}


def _word(dice: random.Random, words: tuple[str, ...]) -> str:
    word = dice.choice(words)
    if dice.random() < 0.25:
        word = spoilt_text(dice, word, "./:\\~ a1").encode("utf-8", "replace").decode()
    return dice.choice(ODD_TEXTS) if dice.random() < 0.05 else word


FIELDS: Final = (
    *("player", "player", "player", "core", "core", "core", "rules", "rom", "state", "extends", "family", "system"),
    *("game", "note", "maps", "solo-state", "menu", "set", "set-file", "option", "core-option", "rom_name", "sha1"),
)
"""The parts of a game file into which words are put."""


def _said(dice: random.Random, words: tuple[str, ...]) -> dict[str, Any]:
    """A game file like our Famicom game's, with words in one to three of its parts."""
    said: dict[str, Any] = {"game": "mine", "extends": "puyo"}
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        part, word = dice.choice(FIELDS), _word(dice, words)
        value: Any = word if dice.random() < 0.95 else odd_value(dice)
        if part == "maps":
            said["modes"] = {"endless": {"maps": [value]}}
        elif part == "solo-state":
            said["modes"] = {"endless": {"state": value}}
        elif part == "menu":
            said["menu"] = [value]
        elif part == "set":
            said["sets"] = {word: [{"name": "a.bin", "size": 4, "crc": 1}]}
        elif part == "set-file":
            said["sets"] = {"mine": [{"name": value, "size": 4, "crc": 1}]}
        elif part == "option":
            said["options"] = {word: {"from": 0, "to": 1}}
        elif part == "core-option":
            said["core_options"] = {word: value}
        else:
            said[part] = value
    return said


def _written(dice: random.Random, data: object, name: str) -> None:
    text = yaml.safe_dump(data, allow_unicode=dice.random() < 0.5, sort_keys=False)
    if dice.random() < 0.05:
        # the tags that YAML has for Python's objects
        text = text.replace(": ", ": !!python/object/apply:os.system ", 1)
    Path(name).write_bytes(text.encode("utf-8", "surrogatepass"))


def _doctor(file: str) -> None:
    from ochibot.cli.doctor import examine
    from ochibot.games import find_game

    examine(find_game(file))


def _of_game_file(
    dice: random.Random, words: tuple[str, ...], file: str = "mine.yaml"
) -> tuple[tuple[str, ...], Callable[[], str | None]]:
    Path(file).parent.mkdir(exist_ok=True)
    _written(dice, _said(dice, words), file)
    if dice.random() < 0.6:
        return ("doctor", file), lambda: _doctor(file)
    command = ("play", file, *SHORT)
    return command, lambda: inside(command)


def _of_other_file(dice: random.Random, words: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[], str | None]]:
    """A player file, a map or rules with a word in one of their parts."""
    kind, folder, option = dice.choice(
        (("players", CONFIGS, "--player"), ("famicom_puyo", MAPS, "--map"), ("rules", CONFIGS, "--rules"))
    )
    source = {"players": "article", "famicom_puyo": "player1", "rules": "famicom"}[kind]
    data: Any = yaml.safe_load((folder / kind / f"{source}.yaml").read_text(encoding="utf-8"))
    word = _word(dice, words)
    part = dice.choice(("kind", "name", "extends", "game", "system", "class", "player", "import", *map(str, data)))
    data[part] = word if dice.random() < 0.8 else {word: word}
    _written(dice, data, "other.yaml")
    command = ("play", "puyo", option, "other.yaml", *SHORT)
    return command, lambda: inside(command)


def _of_record(
    dice: random.Random, words: tuple[str, ...], seeds: Path
) -> tuple[tuple[str, ...], Callable[[], str | None]]:
    """A record whose manifest names something else; its log has the manifest's checksum."""
    from ochibot.record.blocks import START, Block, read_log
    from ochibot.record.manifest import LOG
    from ochibot.record.segment import join_sections, split_sections

    from tests.fuzz.files import sealed

    folder = copied(seeds / "puyo-played", "run")
    data = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    word = _word(dice, words)
    part = dice.choice(
        ("core", "core", "core", "filed", "filed", "game", "rules", "system", "rom", "options", "command")
    )
    if part == "core":
        data["core"]["file"] = word
    elif part == "filed":
        said = {**_said(dice, words), "family": "puyo", "system": "nes", "rules": word, "modes": {"endless": {}}}
        data["about"] |= {"game": "mine", "filed": {"file": word, "said": yaml.safe_dump(said), "rules": word}}
    elif part == "rom":
        data["rom"]["name"] = word
    elif part == "options":
        data["options"] = {word: word}
    elif part == "system":
        data["system"] = word
    else:
        data["about"][part] = word
    text = json.dumps(data).encode()
    (folder / MANIFEST).write_bytes(text)
    blocks, _ = read_log(folder / LOG)
    parts = split_sections(blocks[0].unpacked())
    parts[b"M"] = hashlib.blake2b(text, digest_size=32).digest()
    import zlib

    blocks[0] = Block(START, 0, blocks[0].first, 0, zlib.compress(join_sections(parts)))
    (folder / LOG).write_bytes(sealed(blocks))
    command = dice.choice(
        (
            ("verify", "run", "--picture", "difference.png"),
            ("dump", "run", "--every", "30", "-o", "made"),
            ("video", "run", "-o", "film.png", "--from", "41"),
            ("movie", "export", "run", "-o", "film.fm2"),
        )
    )
    return command, lambda: inside(command)


def _of_notebook(dice: random.Random, words: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[], str | None]]:
    """A calibration's notebook whose pages name kinds of values. Its digest fits."""
    from ochibot.experiments.notebook import VERSION, Notebook, _digest

    word = _word(dice, words)
    page = dice.choice(
        (
            {"kind": word, "fields": {}},
            {"kind": f"grid.{word}", "fields": {}},
            {"kind": f"{word}.Grid", "fields": {"command": "touch ran"}},
            {"array": word, "shape": [1]},
            {"bytes": base64.b64encode(word.encode("utf-8", "replace")).decode()},
            {"button": word},
        )
    )
    data: dict[str, Any] = {"version": VERSION, "about": "mine", "pages": {"p": page}, "frames": {}, "failed": {}}
    data["digest"] = _digest(data)
    Path("notebook.json").write_text(json.dumps(data), encoding="utf-8")

    def read() -> None:
        Notebook(Path(), "mine", warn=lambda _: None)

    return ("calibrate", "-o", "."), lambda: read()


def codes(dice: random.Random, seeds: Path) -> Trial:
    """A file that names code, in a folder that holds this code."""
    trap()
    how = dice.random()
    if how < 0.65:
        command, act = _of_game_file(dice, CODE)
    elif how < 0.8:
        command, act = _of_other_file(dice, CODE)
    elif how < 0.93:
        command, act = _of_record(dice, CODE, seeds)
    else:
        command, act = _of_notebook(dice, CODE)
    return Trial(command, call=watched(act))


def paths(dice: random.Random, seeds: Path) -> Trial:
    """A name that could become the path of a file that isn't meant, in a file or on the command line."""
    kept = decoys()
    how = dice.random()
    if how < 0.45:
        # the file lies in another folder, and none of its words means a file of this one
        command, act = _of_game_file(dice, NAMES, "home/mine.yaml")
    elif how < 0.55:
        command, act = _of_other_file(dice, NAMES)
        kept = frozenset()
    elif how < 0.7:
        command, act = _of_record(dice, NAMES, seeds)
    else:
        option = dice.choice(("--player", "--rules", "--map", "--core", "--rom", "--system", "--from-state", "game"))
        word = _word(dice, NAMES).replace("\0", "")
        command = ("play", word, *SHORT) if option == "game" else ("play", dice.choice(games()), option, word, *SHORT)
        if option == "--core" and is_core_path(word):
            # whoever types a path of a core wants its code to run
            return Trial(command, call=lambda: inside(command))
        act = lambda: inside(command)  # noqa: E731
        if word not in MEANT.get(option, DECOYS if option in ("--core", "game") else ()):
            kept = frozenset()
        return Trial(command, call=watched(act, kept, typed=True))
    return Trial(command, call=watched(act, kept))
