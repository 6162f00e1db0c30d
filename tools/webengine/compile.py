"""Compiles kernels to one object file for WebAssembly, from the code that numba makes of them.

The code is taken where numba is done with it and LLVM hasn't optimized it yet, as in ``tools/ship_kernels.py``.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from typing import Any, Final

from ochibot.jit.library import Kernel

TRIPLE: Final = "wasm32-unknown-unknown"
FEATURES: Final = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""All of them are in Chrome 91, Firefox 89 and Safari 16.4."""
LEVEL: Final = 3

_ERRORS: Final = re.compile(r"^(@\.const\.picklebuf\.\S* = \w+ constant \{[^}]*\}) \{.*$", re.MULTILINE)
"""What a kernel's errors say, with paths of the machine that compiles. In the browser an error has only a number."""
_SQRT: Final = "@sqrt(", "@llvm.sqrt.f64("
"""The C function has an instruction of its own in WebAssembly."""


def llvm_code(kernels: Mapping[str, Kernel], first: Any) -> dict[str, tuple[str, str]]:
    """LLVM's code of each kernel and the name of its function. first: the type of a kernel's first argument."""
    from numba.core.codegen import CPUCodeLibrary
    from numba.core.sigutils import normalize_signature

    found = {}
    optimize = CPUCodeLibrary._optimize_final_module
    plain: list[str] = []

    def noted(self: Any) -> None:
        plain.append(str(self._final_module))

    # machine code of this machine's isn't needed, so it need not be optimized
    CPUCodeLibrary._optimize_final_module = noted
    try:
        for name, kernel in kernels.items():
            dispatcher = getattr(importlib.import_module(kernel.module), name)
            arguments, _ = normalize_signature(f"void({kernel.arguments})")
            dispatcher.compile((first, *arguments))
            found[name] = plain[-1], dispatcher.overloads[first, *arguments].fndesc.llvm_func_name
    finally:
        CPUCodeLibrary._optimize_final_module = optimize
    return found


def object_code(kernels: Mapping[str, tuple[str, str]], data: str) -> bytes:
    """An object file of all kernels. Functions that several kernels use are in it once. data: the name of a variable
    that the linker needs.
    """
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=LEVEL, reloc="static", codemodel="default"
    )
    module = binding.parse_assembly("")
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    for code, _ in kernels.values():
        plain = _ERRORS.sub(r"\1 zeroinitializer", code).replace(*_SQRT)
        plain = re.sub(r"^target .*$", "", plain, flags=re.MULTILINE)
        one = binding.parse_assembly(plain)
        one.triple, one.data_layout = module.triple, module.data_layout
        module.link_in(one)
    module.verify()
    wanted = {data, *(function for _, function in kernels.values())}
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration:
            part.linkage = "external" if part.name in wanted else "internal"
    for level in (0, LEVEL):
        tuning = binding.create_pipeline_tuning_options(speed_level=level)
        tuning.loop_vectorization = tuning.slp_vectorization = False
        builder = binding.create_pass_builder(machine, tuning)
        passes = builder.getModulePassManager()
        if level == 0:
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        passes.run(module, builder)
    made: bytes = machine.emit_object(module)
    return made
