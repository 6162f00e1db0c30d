"""Builds the engine for the browser into web/src/puyo/built.js: python tools/web_engine.py.

Run it after every change of a kernel of Puyo Puyo, of its rules or of the player ``chain``, then ``make web``.
tests/ui/web/test_puyo_engine.py says when it is needed. docs/browser-engine.md explains it.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
BUILT: Final = ROOT / "web" / "src" / "puyo" / "built.js"
PROFILES: Final = ("tsu", "famicom", "puyo1")
LINE: Final = 120
DIGITS: Final = str.maketrans("&<`$", ".,:[")
"""Digits of Python's base 85 that mean something in HTML or in a JavaScript template, and others instead of them."""

_HEAD: Final = "// Made by tools/web_engine.py from our kernels, rules and players; see docs/browser-engine.md.\n"

sys.path[:0] = [str(Path(__file__).resolve().parent)]


def stamp() -> dict[str, str]:
    """What the engine is made of and with: a digest of the kernels' sources and of what compiles them, and versions."""
    from ochibot.jit.library import digest_of, imported_files
    from webengine.given import browser_kernels

    own = [Path(__file__).resolve().parent / "webengine" / name for name in ("compile.py", "link.py", "wasm.py")]
    files = imported_files(kernel.module for kernel in browser_kernels().values())
    return {
        "sources": digest_of([*files, *own]),
        "python": ".".join(map(str, sys.version_info[:2])),
        "numba": version("numba"),
        "llvmlite": version("llvmlite"),
        "machine": f"{sys.platform} {platform.machine()}",
    }


def module() -> bytes:
    """The WebAssembly module of all kernels."""
    from ochibot.puyo.kernels.special import OpenGeometryType
    from ochibot.puyo.rules.file import load_rules
    from webengine.compile import llvm_code, object_code
    from webengine.given import browser_kernels
    from webengine.link import link
    from webengine.wasm import read_object

    first = OpenGeometryType(load_rules(PROFILES[0]).geometry())
    kernels = llvm_code(browser_kernels(), first)
    made = read_object(object_code(kernels, first.PLACE))
    return link(made, {name: function for name, (_, function) in kernels.items()}, {"geometry": first.PLACE})


def given() -> dict[str, Any]:
    """The rules of all profiles, the player, and the order of locks."""
    from ochibot.data import data_path
    from ochibot.puyo.rules.file import load_rules
    from ochibot.puyo.search.chain.config import load_chain_player
    from ochibot.puyo.search.locks import lock_order
    from ochibot.puyo.search.player import load_player
    from webengine.given import browser_player, browser_rules

    config = load_chain_player(data_path("configs/players/chain.yaml"))
    return {
        "RULES": {name: browser_rules(load_rules(name), config) for name in PROFILES},
        "PLAYER": browser_player(config, load_player(data_path("configs/players/article.yaml"))),
        "LOCKS": [[x, int(orientation)] for x, orientation in lock_order()],
    }


def text(made: dict[str, str], code: bytes, values: dict[str, Any]) -> str:
    """The file that is built."""
    lines = [f"export const {name} = {json.dumps(value)};" for name, value in {"MADE": made, **values}.items()]
    # base 85 takes a sixteenth less than base 64; the module's size tells which bytes at the end are padding
    packed = base64.b85encode(code, pad=True).decode().translate(DIGITS)
    lines.append(f"export const SIZE = {len(code)};")
    rows = [packed[at : at + LINE] for at in range(0, len(packed), LINE)]
    return "\n".join((_HEAD + "\n".join(lines), "export const WASM = `", *rows, "`;")) + "\n"


def unpacked(file: Path) -> bytes:
    """The module in a file that was built."""
    written = file.read_text(encoding="utf-8")
    (size,), (packed,) = re.findall(r"SIZE = (\d+);", written), re.findall(r"WASM = `\n(.*?)\n`", written, re.DOTALL)
    digits = packed.replace("\n", "").translate({new: old for old, new in DIGITS.items()})
    return base64.b85decode(digits)[: int(size)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", dest="file", type=Path, default=BUILT, help="where the file is written")
    file = parser.parse_args().file
    # numba's first steps could otherwise depend on this machine's processor
    os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    code = module()
    file.write_text(text(stamp(), code, given()), encoding="utf-8")
    print(f"{len(code):,} bytes of WebAssembly, {file.stat().st_size:,} in {file.name}")


if __name__ == "__main__":
    main()
