"""Writes LLVM's code of the kernels that play needs first into bot/ochibot/jit/shipped: python tools/ship_kernels.py.

Run it after every change of a kernel, on x86-64 Linux (``make kernels``); a test says when it is needed. The code is
taken where numba is done with it and LLVM hasn't optimized it yet.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.metadata import version
from typing import Any

from ochibot.falling.player import prepare
from ochibot.games import find_game
from ochibot.games.choosing import find_rules
from ochibot.jit.kept import FOLDER, ShippedCode
from ochibot.jit.library import KernelLibrary, Variant, code_for_all, digest_of
from ochibot.jit.native import code_of
from ochibot.players import open_player
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search.engine import SEARCH_KERNELS, prepare_placements

TITLES = ("puyo", "tsu", "nyaa")


def main() -> None:
    """See the module."""
    from llvmlite import binding
    from numba.core.codegen import CPUCodeLibrary

    plain: list[bytes] = []
    optimize = CPUCodeLibrary._optimize_final_module

    def noted(self: Any) -> None:
        plain.append(self._final_module.as_bitcode())
        optimize(self)

    CPUCodeLibrary._optimize_final_module = noted

    def shipping(self: KernelLibrary, name: str, variant: Variant | None) -> Any:
        dispatcher, arguments = self._dispatcher(name, variant)
        entry = dispatcher.compile(arguments)
        code = code_of(dispatcher)
        file = self.shipped_file(name, variant)
        sources, triple = digest_of(self.kernel_sources()), binding.get_process_triple()
        shipped = ShippedCode(sources, version("numba"), triple, *code[:3], bitcode=plain[-1])
        file.write_bytes(shipped.to_bytes())
        print(f"{file.name}: {len(plain[-1]):,} bytes")
        return entry

    KernelLibrary._load = shipping  # type: ignore[method-assign]
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for name in TITLES:
            title = find_game(name)
            rules = find_rules(title)
            prepare(open_player(None, title, rules))
        with code_for_all():
            rules = load_rules("famicom")
            SEARCH_KERNELS.kernel("two_ply", rules)
            prepare_placements(rules)


if __name__ == "__main__":
    main()
