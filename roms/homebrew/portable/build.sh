#!/bin/sh
# Builds Kodama for one console, or for all whose compilers are here: ./build.sh [CONSOLE [FILE]]
# gb, sms and gg need sdcc, pce and snes cc65, gba gcc-arm-none-eabi (TOOLCHAIN.txt); all need python3.
set -eu
cd "$(dirname "$0")"
if [ $# -eq 0 ]; then
    for console in gb sms gg; do sh build.sh "$console"; done
    exit
fi
console=$1
case $console in
gb | sms | gg) tool=sdcc package=sdcc ;;
pce) tool=cl65 package=cc65 ending=pce ;;
snes) tool=cl65 package=cc65 ending=sfc ;;
gba) tool=arm-none-eabi-gcc package=gcc-arm-none-eabi ending=gba ;;
*) echo "there is no console $console; give one of gb, sms, gg, pce, snes, gba" >&2 && exit 2 ;;
esac
target=${2:-kodama.${ending:-$console}}
if ! command -v $tool >/dev/null; then
    echo "$target is left as it is: $package isn't installed"
    exit
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -B art/art.py "$console" "$tmp"

with_sdcc() { # processor, address of RAM, start-up, layer, defines
    sdas=$1 processor=$2 ram=$3 start=$4 layer=$5
    shift 5
    "$sdas" -o "$tmp/start.rel" "src/$start"
    objects=$tmp/start.rel
    for c in src/game.c src/screen.c src/main.c "src/$layer" "$tmp/tiles.c"; do
        rel=$tmp/$(basename "$c" .c).rel
        sdcc "-m$processor" --opt-code-speed --disable-warning 85 --disable-warning 158 --Werror -Isrc -I"$tmp" "$@" -c "$c" -o "$rel"
        objects="$objects $rel"
    done
    # shellcheck disable=SC2086
    sdcc "-m$processor" --no-std-crt0 --code-loc 0x200 --data-loc "$ram" $objects -o "$tmp/rom.ihx"
    python3 -B pack.py "$console" "$tmp/rom.ihx" "$target"
}

case $console in
gb) with_sdcc sdasgb sm83 0xC200 gb.s gb.c -DSCREEN_COLUMNS=20 ;;
sms) with_sdcc sdasz80 z80 0xC200 sms.s sms.c -DSCREEN_COLUMNS=32 -DSCREEN_ROWS=24 ;;
gg) with_sdcc sdasz80 z80 0xC200 sms.s sms.c -DSCREEN_COLUMNS=20 -DGAME_GEAR ;;
esac
