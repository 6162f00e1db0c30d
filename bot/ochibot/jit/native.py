"""Machine code that numba made, kept and called without importing numba, whose import takes longer than all else.

numba's own cache holds the same machine code, but reading it needs numba's types. What the code needs at run time is
small: numba's helpers in C, which numba lets LLVM find by name, and an object in which a function keeps its Python
constants (ours have none). LLVM would end the process over a name that it can't find, so all names are asked for first.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import json
import sys
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

_HELPERS: Final = ("_helperlib", "_dynfunc")
"""numba's modules in C. The first has the helpers, the second makes a Python function of an address."""


class Numbers(NamedTuple):
    """Words of 64 bits that machine code reads from memory: the name of the place, and the words."""

    place: str
    words: tuple[int, ...]


class MachineCode(NamedTuple):
    """A compiled kernel.

    wrapper: the name of the function that Python calls. environment: the name of the pointer to its constants.
    outside: the names that the code needs from outside. data: the object file.
    """

    wrapper: str
    environment: str
    outside: tuple[str, ...]
    data: bytes

    def to_bytes(self) -> bytes:
        """A line of JSON, then the object file."""
        return json.dumps(self[:3]).encode() + b"\n" + self.data

    @classmethod
    def from_bytes(cls, raw: bytes) -> MachineCode:
        """Raises ValueError."""
        line, _, data = raw.partition(b"\n")
        wrapper, environment, outside = json.loads(line)
        return cls(wrapper, environment, tuple(outside), data)


def code_of(dispatcher: Any) -> MachineCode:
    """The machine code of a function that numba has just compiled, for one type of arguments.

    Raises ValueError for a function with Python constants.
    """
    (result,) = dispatcher.overloads.values()
    if result.environment.consts or result.referenced_envs:
        raise ValueError(f"{result.fndesc.qualname} has constants that are Python objects")
    module = result.library._final_module
    named = (one for group in (module.functions, module.global_variables) for one in group if one.is_declaration)
    outside = sorted({one.name for one in named if not one.name.startswith("llvm.")})
    return MachineCode(
        result.fndesc.llvm_cpython_wrapper_name,
        result.target_context.get_env_name(result.fndesc),
        tuple(outside),
        result.library._get_compiled_object(),
    )


def callable_of(code: MachineCode, name: str, numbers: Numbers | None = None) -> Callable[..., Any]:
    """A Python function that runs the code, with these numbers. It releases the GIL and checks no types.

    Raises RuntimeError or OSError when the code can't be run with the numba that is installed.
    """
    from llvmlite import binding

    dynamic = _helpers()
    triple = binding.get_process_triple()
    machine = binding.Target.from_triple(triple).create_target_machine(codemodel="jitdefault", jit=True)
    # each kernel has an engine of its own, because kernels define the same names
    engine = binding.create_mcjit_compiler(binding.parse_assembly(f'target triple = "{triple}"'), machine)
    # the first engine of a process opens Python's own names
    if missing := [one for one in code.outside if not binding.address_of_symbol(one)]:
        raise RuntimeError(f"{missing[0]} is missing")
    engine.add_object_file(binding.ObjectFileRef.from_data(code.data))
    engine.finalize_object()
    wrapper, place = engine.get_function_address(code.wrapper), engine.get_global_value_address(code.environment)
    if not (wrapper and place):
        raise RuntimeError("a name of its own is missing")
    if numbers is not None:
        given = engine.get_global_value_address(numbers.place)
        if not given:
            raise RuntimeError(f"{numbers.place} is missing")
        (ctypes.c_uint64 * len(numbers.words)).from_address(given)[:] = list(numbers.words)
    constants = dynamic.Environment({})
    ctypes.c_void_p.from_address(place).value = id(constants)
    made: Callable[..., Any] = dynamic.make_function(ModuleType(name), name, "", wrapper, constants, (engine,))
    return made


@functools.cache
def _helpers() -> Any:
    """Lets LLVM find numba's helpers, and returns the module that makes functions."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    modules = [_extension(name) for name in _HELPERS]
    for module in modules:
        for name, address in module.c_helpers.items():
            binding.add_symbol(f"numba_{name}", address)
    return modules[1]


def _extension(name: str) -> ModuleType:
    """A module of numba's in C, without numba. If numba is imported later, it takes this module."""
    full = f"numba.{name}"
    if full in sys.modules:
        return sys.modules[full]
    numba = importlib.util.find_spec("numba")
    folders = numba.submodule_search_locations if numba is not None else None
    files = [Path(folder) / (name + ending) for folder in folders or () for ending in EXTENSION_SUFFIXES]
    file = next((str(one) for one in files if one.is_file()), None)
    if file is None:
        raise RuntimeError(f"numba has no module {name}")
    loader = ExtensionFileLoader(full, file)
    spec = importlib.util.spec_from_file_location(full, file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return sys.modules.setdefault(full, module)
