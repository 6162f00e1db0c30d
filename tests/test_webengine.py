"""The linker of the browser's engine: numbers of WebAssembly, and what it refuses."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from webengine.compile import FEATURES, TRIPLE
from webengine.link import link
from webengine.wasm import MAGIC, Reader, read_object, signed, unsigned


def compiled(code: str) -> bytes:
    """An object file for WebAssembly of LLVM's code."""
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=1, reloc="static", codemodel="default"
    )
    module = binding.parse_assembly(code)
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    made: bytes = machine.emit_object(module)
    return made


@pytest.mark.parametrize(
    ("number", "wanted"), [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\x01"), (624485, b"\xe5\x8e\x26")]
)
def test_unsigned_numbers(number: int, wanted: bytes) -> None:
    assert unsigned(number) == wanted
    assert Reader(wanted).number() == number


@pytest.mark.parametrize(
    ("number", "wanted"),
    [(0, b"\0"), (63, b"\x3f"), (64, b"\xc0\x00"), (-1, b"\x7f"), (-64, b"\x40"), (-65, b"\xbf\x7f")],
)
def test_signed_numbers(number: int, wanted: bytes) -> None:
    assert signed(number) == wanted


CODE = """
@numbers = global [3 x i64] [i64 5, i64 7, i64 11]
@place = internal constant ptr getelementptr (i8, ptr @numbers, i64 16)
@zeros = global [4 x i64] zeroinitializer
define internal i64 @half(i64 %x) noinline { %y = udiv i64 %x, 2  ret i64 %y }
define i64 @answer(i64 %x) {
  %there = load volatile ptr, ptr @place
  %a = load i64, ptr %there
  %b = call i64 @half(i64 %x)
  store volatile i64 %x, ptr @zeros
  %c = add i64 %a, %b
  %mine = alloca [8 x i64]
  store volatile i64 %c, ptr %mine
  %d = load volatile i64, ptr %mine
  ret i64 %d
}
"""
NODE = """
const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
const { answer, memory, zeros, __heap_base } = new WebAssembly.Instance(module).exports;
const found = answer(62n);
const stored = new BigInt64Array(memory.buffer, zeros.value, 1)[0];
console.log(String(found), String(stored), zeros.value < __heap_base.value);
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is missing (Debian: package nodejs)")
def test_a_linked_module_runs(tmp_path: Path) -> None:
    """It has a function that calls another, a pointer in its data, data of zeros, and a stack."""
    file = tmp_path / "answer.wasm"
    file.write_bytes(link(read_object(compiled(CODE)), {"answer": "answer"}, {"zeros": "zeros"}))
    done = subprocess.run(["node", "-e", NODE, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["42", "62", "true"]


def test_a_function_that_is_not_defined_is_refused() -> None:
    code = "declare i64 @elsewhere(i64)  define i64 @f(i64 %x) { %y = call i64 @elsewhere(i64 %x)  ret i64 %y }"
    with pytest.raises(ValueError, match="not all is defined: elsewhere"):
        link(read_object(compiled(code)), {"f": "f"}, {})


def test_data_that_are_not_defined_are_refused() -> None:
    code = "@there = external global i64  define i64 @f() { %y = load i64, ptr @there  ret i64 %y }"
    with pytest.raises(ValueError, match="there isn't defined"):
        read_object(compiled(code))


def test_other_files_are_refused() -> None:
    with pytest.raises(ValueError, match="no WebAssembly"):
        read_object(b"\x7fELF" + bytes(40))
    assert compiled(CODE).startswith(MAGIC)
