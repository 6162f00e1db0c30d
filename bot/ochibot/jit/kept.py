"""The file of one compiled kernel in the cache folder. It is checked before it is loaded, and written by only one
process at a time.

One changed bit in machine code can kill the process. So the file begins with the digest of all that follows.

Kernels whose types numba has already worked out: LLVM's code of them is shipped, and is made machine code here.

That takes a sixth of the time, and no import of numba. The shipped code is of the kernels that ``play`` needs first. It
fits one version of the sources, one of numba, and one kind of machine; elsewhere numba compiles. ``make kernels``
writes it (``tools/ship_kernels.py``).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from ochibot.data import is_own
from ochibot.jit.native import MachineCode

_FORMAT: Final = b"ochibot kernel 2"
_LARGEST: Final = 1 << 26
"""An upper limit for the size of a kernel's file, in bytes."""


class State(Enum):
    """What is kept of a kernel: nothing, a damaged file, or a whole one."""

    NOTHING = "nothing"
    DAMAGED = "damaged"
    WHOLE = "whole"


class KeptKernel:
    """One kernel's file.

    folder: the folder of its library and variant. stem: the file's name without its ending. identity: everything that
    distinguishes this kernel from others.
    """

    def __init__(self, folder: Path, stem: str, identity: str) -> None:
        self.folder = folder
        self.file = folder / f"{stem}.code"
        self._identity = hashlib.sha256(identity.encode()).hexdigest().encode()
        self._lock = folder / f"{stem}.lock"

    def read(self) -> tuple[State, MachineCode | None]:
        """What is kept, and the machine code if it is whole."""
        try:
            if not (is_own(self.folder) and is_own(self.file)):
                # machine code that another user put there is never run
                return State.NOTHING, None
            raw = _read(self.file)
        except FileNotFoundError:
            return State.NOTHING, None
        except (OSError, ValueError):
            return State.DAMAGED, None
        digest, _, body = raw.partition(b"\n")
        head, _, code = body.partition(b"\n")
        if digest != _digest(body) or head != self._head():
            return State.DAMAGED, None
        return State.WHOLE, MachineCode.from_bytes(code)

    def write(self, code: MachineCode) -> None:
        """Keeps the machine code. Raises OSError."""
        # Imported here: kernels are compiled anew when a module changes that is imported at the top of this file.
        from ochibot.leftovers import whole_file

        body = self._head() + b"\n" + code.to_bytes()
        with whole_file(self.file) as partial:
            partial.write_bytes(_digest(body) + b"\n" + body)

    def clear(self) -> None:
        """Deletes what lies in the file's place."""
        if self.file.is_dir() and not self.file.is_symlink():
            shutil.rmtree(self.file, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                self.file.unlink(missing_ok=True)

    @contextlib.contextmanager
    def alone(self, waiting: Callable[[], contextlib.AbstractContextManager[object]]) -> Iterator[bool]:
        """Locks this kernel against other processes. Yields whether anything can be kept.

        ``waiting`` is entered while another process holds the lock. The lock ends with its process, however that ends.
        """
        from ochibot.leftovers import lock

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = self._lock.open("ab") if is_own(self.folder) else None
        except OSError:
            file = None
        if file is None:
            yield False
            return
        with file:
            # on a file system without locks two processes may compile the same kernel
            with contextlib.suppress(OSError):
                try:
                    lock(file.fileno())
                except BlockingIOError:
                    with waiting():
                        lock(file.fileno(), wait=True)
            yield True

    def _head(self) -> bytes:
        return _FORMAT + b" " + self._identity


def _read(file: Path) -> bytes:
    """A file's bytes. Raises ValueError if it is too large, or no regular file (reading a pipe would never end)."""
    if file.exists() and not file.is_file():
        raise ValueError(f"{file} is no file")
    with file.open("rb") as opened:
        data = opened.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(f"{file} is too large")
    return data


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


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
