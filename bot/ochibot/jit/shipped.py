"""Kernels whose types numba has already worked out: LLVM's code of them is shipped, and is made machine code here.

That takes a sixth of the time, and no import of numba. The shipped code is of the kernels that ``play`` needs first. It
fits one version of the sources, one of numba, and one kind of machine; elsewhere numba compiles. ``make kernels``
writes it (``tools/ship_kernels.py``).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from ochibot.jit.native import MachineCode

FOLDER: Final = Path(__file__).resolve().parent / "shipped"
_LEVEL: Final = 3
"""numba's usual level of optimization."""


class ShippedCode(NamedTuple):
    """LLVM's code of a kernel, before it is optimized.

    sources, numba, triple: what it was made of and for. wrapper, environment, outside: as in ``MachineCode``. bitcode:
    LLVM's code, which doesn't depend on the processor.
    """

    sources: str
    numba: str
    triple: str
    wrapper: str
    environment: str
    outside: tuple[str, ...]
    bitcode: bytes

    def to_bytes(self) -> bytes:
        """A line of JSON, then the code."""
        return json.dumps(self._asdict() | {"bitcode": len(self.bitcode)}).encode() + b"\n" + self.bitcode


@cache
def numba_version() -> str:
    """The installed version of numba, found without importing it. Raises PackageNotFoundError if there is none.

    It is in the name of the folder of numba's metadata. ``importlib.metadata`` would take 15 ms to read them.
    """
    package = find_spec("numba")
    found = list(Path(package.origin).parent.parent.glob("numba-*.dist-info")) if package and package.origin else []
    if len(found) == 1:
        return found[0].name.removesuffix(".dist-info").removeprefix("numba-")
    from importlib.metadata import version

    return version("numba")


def find_shipped(file: Path, sources: str) -> ShippedCode | None:
    """The shipped code in a file, if there is one and it fits. ``sources``: the digest of the kernel's sources."""
    from llvmlite import binding

    try:
        line, _, bitcode = file.read_bytes().partition(b"\n")
        head = json.loads(line)
    except (OSError, ValueError):
        return None
    found = ShippedCode(**{**head, "outside": tuple(head["outside"]), "bitcode": bitcode})
    fits = (found.sources, found.numba, found.triple) == (sources, numba_version(), binding.get_process_triple())
    return found if fits else None


def machine_code(shipped: ShippedCode) -> MachineCode:
    """Optimizes the code as numba does, and translates it for this processor. Raises RuntimeError."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(shipped.triple).create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=_LEVEL,
        reloc="static",
        codemodel="jitdefault",
        jit=True,
    )
    module = binding.parse_bitcode(shipped.bitcode)
    for level in (0, _LEVEL):
        tuning = binding.create_pipeline_tuning_options(speed_level=level)
        tuning.loop_vectorization = level > 0
        tuning.slp_vectorization = False
        builder = binding.create_pass_builder(machine, tuning)
        passes = builder.getModulePassManager()
        if level == 0:
            # numba's first round: what it inlines lets the second one vectorize more loops
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        passes.run(module, builder)
    return MachineCode(shipped.wrapper, shipped.environment, shipped.outside, machine.emit_object(module))
