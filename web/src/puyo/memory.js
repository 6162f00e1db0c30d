// The kernels' module and its memory. A kernel takes arrays as numba passes them: their address, length and strides.

const PAGE = 65536;
const SIZE = 8;
const VIEWS = { u8: BigUint64Array, i8: BigInt64Array, f8: Float64Array };

// An array of 8-byte numbers in the module's memory. kind: "u8", "i8" or "f8", as in numba. shape: one or two lengths.
class WasmArray {
  constructor(machine, address, kind, shape) {
    this.machine = machine;
    this.address = address;
    this.kind = kind;
    this.shape = shape;
    this.length = shape.reduce((a, b) => a * b, 1);
    this.passed = this.passedAs(shape);
    this.seen = null;
  }

  passedAs(shape) {
    const strides = shape.length === 1 ? [SIZE] : [SIZE * shape[1], SIZE];
    return [0, 0, BigInt(this.length), BigInt(SIZE), this.address, ...[...shape, ...strides].map(BigInt)];
  }

  // The numbers themselves. The memory's buffer changes when it grows, and the view with it.
  get view() {
    const buffer = this.machine.memory.buffer;
    if (this.seen === null || this.seen.buffer !== buffer) {
      this.seen = new VIEWS[this.kind](buffer, this.address, this.length);
    }
    return this.seen;
  }

  // The beginning of this memory as an array of another shape, to be passed to a kernel.
  as(shape) {
    return new WasmArray(this.machine, this.address, this.kind, shape);
  }

  // The first rows of a two-dimensional array.
  rows(count) {
    return this.as([count, this.shape[1]]);
  }
}

export class Machine {
  constructor(module) {
    const instance = new WebAssembly.Instance(module, {});
    this.kernels = instance.exports;
    this.memory = instance.exports.memory;
    this.next = instance.exports.__heap_base.value;
    this.place = instance.exports.geometry.value;
    this.answer = this.array("u8", [1]);
    this.error = this.array("u8", [1]);
  }

  // A new array, all 0, aligned to a cache line. Arrays are freed all at once, by "free".
  array(kind, shape) {
    const address = Math.ceil(this.next / 64) * 64;
    this.next = address + SIZE * shape.reduce((a, b) => a * b, 1);
    const missing = this.next - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    const made = new WasmArray(this, address, kind, shape);
    made.view.fill(kind === "f8" ? 0 : 0n);
    return made;
  }

  // Writes the words of a game's rules that the kernels read. words: as text.
  geometry(words) {
    new WasmArray(this, this.place, "u8", [words.length]).view.set(words.map(BigInt));
  }

  // Frees all arrays made since the memory's end was "mark".
  free(mark) {
    this.next = mark;
  }

  // Calls a kernel; arrays as WasmArray, whole numbers as BigInt, doubles as numbers. "answer" receives its result.
  call(name, ...given) {
    const passed = given.flatMap((one) => (one instanceof WasmArray ? one.passed : [one]));
    const status = this.kernels[name](this.answer.address, this.error.address, 0, ...passed);
    if (status > 0 || status === -1) throw new Error(`the kernel ${name} failed (${status})`);
  }
}
