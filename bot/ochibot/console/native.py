"""Compiles the callbacks that a core calls in every frame to native code.

Many times a frame, a core asks for the pads and for changed options, or hands over picture and sound. Callbacks in
Python cost a third of the emulation's speed; the few instructions here cost too little to measure. They are written in
LLVM's assembly and compiled by llvmlite when a console opens, which takes some milliseconds. The address of the
console's ``HostState`` is part of the code. So several consoles can be open at the same time, but the code can't be
cached.

Converts pictures from a core's pixel formats to RGB.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Final

import llvmlite.binding as llvm
import numpy as np
import numpy.typing as npt

PORTS = 8
AUDIO_FRAMES = 1 << 16
"""The size of the sound buffer, in stereo frames: more than a second at 48 kHz. Sound beyond that is lost."""

_ENV_SET_PIXEL_FORMAT = 10
_ENV_GET_VARIABLE_UPDATE = 17
_ENV_GET_PERF_INTERFACE = 28
_ENV_SET_GEOMETRY = 37
_ENV_GET_CURRENT_SOFTWARE_FRAMEBUFFER = 40 | 0x10000
_ENV_GET_AUDIO_VIDEO_ENABLE = 47 | 0x10000

_MOST_REPEATS = 120
"""The most calls of ``retro_run`` in ``run_shown``, in case a game leaves its screen off."""


class HostState(ctypes.Structure):
    """The memory of one console that its native callbacks read and write.

    ``pads``: one Button mask per port. ``buttons``: the Button mask of the machine's buttons; the core sees no other.
    ``keep_video``: copy each new picture to ``frame``. ``frames_shown``: pictures
    handed over so far (repeated ones not counted). ``audio_count``: stereo frames in ``audio``. ``run`` and ``screen``
    are for ``run_shown``: the address of ``retro_run``, and that of a byte whose bit 7 says that the screen is on (0:
    unknown).
    """

    _fields_ = (
        ("pads", ctypes.c_int32 * PORTS),
        ("buttons", ctypes.c_int32),
        ("pixel_format", ctypes.c_int32),
        ("av_enable", ctypes.c_int32),
        ("keep_video", ctypes.c_int32),
        ("keep_audio", ctypes.c_int32),
        ("width", ctypes.c_uint32),
        ("height", ctypes.c_uint32),
        ("pitch", ctypes.c_uint64),
        ("frame", ctypes.c_uint64),
        ("frame_size", ctypes.c_uint64),
        ("frames_shown", ctypes.c_uint64),
        ("audio", ctypes.c_uint64),
        ("audio_count", ctypes.c_uint64),
        ("run", ctypes.c_uint64),
        ("screen", ctypes.c_uint64),
    )


def _field(name: str) -> str:
    """The LLVM expression for a HostState field's address, with a placeholder that is filled in for each console."""
    return f"inttoptr (i64 {{host_{name}}} to ptr)"


_CODE = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; int16 input_state(port, device, index, id): the pad's bit, or the whole mask for id 256
define i16 @input_state(i32 %port, i32 %device, i32 %index, i32 %id) {{{{
  %is_pad = icmp eq i32 %device, 1
  %in_range = icmp ult i32 %port, {PORTS}
  %ok = and i1 %is_pad, %in_range
  br i1 %ok, label %read, label %zero
read:
  %at = zext i32 %port to i64
  %slot = getelementptr i32, ptr {_field("pads")}, i64 %at
  %held = load i32, ptr %slot
  %known = load i32, ptr {_field("buttons")}
  %mask = and i32 %held, %known
  %whole = icmp eq i32 %id, 256
  %shift = and i32 %id, 31
  %shifted = lshr i32 %mask, %shift
  %bit = and i32 %shifted, 1
  %wide = select i1 %whole, i32 %mask, i32 %bit
  %answer = trunc i32 %wide to i16
  ret i16 %answer
zero:
  ret i16 0
}}}}

define void @input_poll() {{{{
  ret void
}}}}

; void video_refresh(data, width, height, pitch): NULL repeats the last picture, -1 is a hardware frame
define void @video_refresh(ptr %data, i32 %width, i32 %height, i64 %pitch) {{{{
  %address = ptrtoint ptr %data to i64
  %next = add i64 %address, 1
  %is_picture = icmp ugt i64 %next, 1
  br i1 %is_picture, label %seen, label %end
seen:
  %old = load i64, ptr {_field("frames_shown")}
  %new = add i64 %old, 1
  store i64 %new, ptr {_field("frames_shown")}
  store i32 %width, ptr {_field("width")}
  store i32 %height, ptr {_field("height")}
  store i64 %pitch, ptr {_field("pitch")}
  %keep = load i32, ptr {_field("keep_video")}
  %kept = icmp ne i32 %keep, 0
  br i1 %kept, label %measure, label %end
measure:
  %rows = zext i32 %height to i64
  %above = sub i64 %rows, 1
  %most = mul i64 %above, %pitch
  %format = load i32, ptr {_field("pixel_format")}
  %is_32 = icmp eq i32 %format, 1
  %pixel = select i1 %is_32, i64 4, i64 2
  %columns = zext i32 %width to i64
  %last = mul i64 %columns, %pixel
  %size = add i64 %most, %last
  %room = load i64, ptr {_field("frame_size")}
  %fits = icmp ule i64 %size, %room
  br i1 %fits, label %copy, label %end
copy:
  %into_i = load i64, ptr {_field("frame")}
  %into = inttoptr i64 %into_i to ptr
  call void @llvm.memcpy.p0.p0.i64(ptr %into, ptr %data, i64 %size, i1 false)
  br label %end
end:
  ret void
}}}}

; size_t audio_sample_batch(data, frames): appended while there is room, else dropped
define i64 @audio_sample_batch(ptr %data, i64 %frames) {{{{
  %keep = load i32, ptr {_field("keep_audio")}
  %kept = icmp ne i32 %keep, 0
  br i1 %kept, label %measure, label %end
measure:
  %count = load i64, ptr {_field("audio_count")}
  %after = add i64 %count, %frames
  %fits = icmp ule i64 %after, {AUDIO_FRAMES}
  br i1 %fits, label %copy, label %end
copy:
  %base_i = load i64, ptr {_field("audio")}
  %base = inttoptr i64 %base_i to ptr
  %into = getelementptr i32, ptr %base, i64 %count
  %size = mul i64 %frames, 4
  call void @llvm.memcpy.p0.p0.i64(ptr %into, ptr %data, i64 %size, i1 false)
  store i64 %after, ptr {_field("audio_count")}
  br label %end
end:
  ret i64 %frames
}}}}

; void audio_sample(left, right): one frame of the above
define void @audio_sample(i16 %left, i16 %right) {{{{
  %frame = alloca [2 x i16]
  store i16 %left, ptr %frame
  %second = getelementptr i16, ptr %frame, i64 1
  store i16 %right, ptr %second
  %taken = call i64 @audio_sample_batch(ptr %frame, i64 1)
  ret void
}}}}

; bool environment(command, data): what is asked every frame, and the geometry (each picture tells its own);
; the rest goes on to libretro.py. Cores have buffers of their own to draw into. There are no performance counters,
; because libretro.py fails to offer its own (TypeError)
define i1 @environment(i32 %command, ptr %data) {{{{
  switch i32 %command, label %ask [ i32 {_ENV_GET_VARIABLE_UPDATE}, label %update
                                    i32 {_ENV_GET_AUDIO_VIDEO_ENABLE}, label %enable
                                    i32 {_ENV_SET_GEOMETRY}, label %known
                                    i32 {_ENV_GET_PERF_INTERFACE}, label %no
                                    i32 {_ENV_GET_CURRENT_SOFTWARE_FRAMEBUFFER}, label %no
                                    i32 {_ENV_SET_PIXEL_FORMAT}, label %format ]
update:
  store i8 0, ptr %data
  ret i1 true
enable:
  %none = icmp eq ptr %data, null
  br i1 %none, label %known, label %tell
tell:
  %mask = load i32, ptr {_field("av_enable")}
  store i32 %mask, ptr %data
  br label %known
known:
  ret i1 true
no:
  ret i1 false
format:
  %value = load i32, ptr %data
  store i32 %value, ptr {_field("pixel_format")}
  br label %ask
ask:
  %answer = call i1 inttoptr (i64 {{fallback}} to ptr)(i32 %command, ptr %data)
  ret i1 %answer
}}}}

; void run_shown(): calls retro_run until it hands over a picture and the screen is on. Only the last call's sound is
; kept, so that sound stays about as long as the pictures
define void @run_shown() {{{{
entry:
  %run_i = load i64, ptr {_field("run")}
  %run = inttoptr i64 %run_i to ptr
  %screen_i = load i64, ptr {_field("screen")}
  %screen = inttoptr i64 %screen_i to ptr
  %unknown = icmp eq i64 %screen_i, 0
  %old = load i64, ptr {_field("frames_shown")}
  %heard = load i64, ptr {_field("audio_count")}
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %j, %repeat ]
  %j = add i64 %i, 1
  store i64 %heard, ptr {_field("audio_count")}
  call void %run()
  %new = load i64, ptr {_field("frames_shown")}
  %shown = icmp ne i64 %new, %old
  br i1 %shown, label %look, label %repeat
look:
  br i1 %unknown, label %end, label %switch
switch:
  %register = load i8, ptr %screen
  %on = icmp slt i8 %register, 0
  br i1 %on, label %end, label %repeat
repeat:
  %few = icmp ult i64 %j, {_MOST_REPEATS}
  br i1 %few, label %again, label %end
end:
  ret void
}}}}

; void run_many(retro_run, n): the bare loop that benchmarks compare with
define void @run_many(ptr %run, i64 %n) {{{{
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %j, %again ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %again, label %end
again:
  call void %run()
  %j = add i64 %i, 1
  br label %test
end:
  ret void
}}}}
"""


@cache
def _target() -> llvm.Target:
    """LLVM's target for this machine, set up once in a process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


class NativeCallbacks:
    """The compiled callbacks of one console. Keep it alive as long as the core may call them."""

    NAMES = (
        "input_state",
        "input_poll",
        "video_refresh",
        "audio_sample_batch",
        "audio_sample",
        "environment",
        "run_shown",
        "run_many",
    )

    def __init__(self, host: HostState, fallback: int) -> None:
        """Compiles the callbacks for ``host``. Environment calls that they don't answer go to the function at
        ``fallback``.
        """
        base = ctypes.addressof(host)
        addresses = {f"host_{name}": base + getattr(HostState, name).offset for name, _ in HostState._fields_}
        module = llvm.parse_assembly(_CODE.format(**addresses, fallback=fallback))
        self._host = host
        # an engine frees its target machine, so each engine needs its own
        self._engine = llvm.create_mcjit_compiler(module, _target().create_target_machine(opt=2))
        self._engine.finalize_object()
        self.address = {name: self._engine.get_function_address(name) for name in self.NAMES}


XRGB1555: Final = 0
XRGB8888: Final = 1
RGB565: Final = 2
"""Numbers of the enum ``retro_pixel_format`` in libretro.h."""


def rgb(rows: npt.NDArray[np.uint8], width: int, pixel_format: int) -> npt.NDArray[np.uint8]:
    """A core's picture as (H, W, 3) uint8 RGB; a copy.

    rows: (H, pitch) bytes as the core has left them. Colours of 5 and 6 bits become 8 bits by repeating their highest
    bits, so that black stays black and white stays white.
    """
    if pixel_format == XRGB8888:
        pixels = rows[:, : width * 4].reshape(len(rows), width, 4)
        picture = np.empty((len(rows), width, 3), np.uint8)
        for at in range(3):  # three assignments are faster than copying the array with its last axis reversed
            picture[:, :, at] = pixels[:, :, 2 - at]
        return picture
    # reading 16 bits at once needs the bytes of each row side by side
    pixels = np.ascontiguousarray(rows[:, : width * 2]).view("<u2")
    # with a table, a picture takes 0.09 ms; computing each pixel takes 0.88 ms
    return _table(pixel_format).take(pixels, axis=0)


@cache
def _table(pixel_format: int) -> npt.NDArray[np.uint8]:
    """The RGB colour of each possible 16-bit pixel, (65536, 3)."""
    value = np.arange(1 << 16, dtype=np.uint32)
    if pixel_format == RGB565:
        red, green, blue = value >> 11, value >> 5 & 63, value & 31
        widened = red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2
    else:
        red, green, blue = value >> 10 & 31, value >> 5 & 31, value & 31
        widened = red << 3 | red >> 2, green << 3 | green >> 2, blue << 3 | blue >> 2
    return np.stack(widened, axis=-1).astype(np.uint8)
