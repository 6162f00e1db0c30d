#!/usr/bin/env bash
# Runs a part of Ochibot on an emulated 64-bit ARM processor, and compares it with this one (x86-64 Linux, Debian 12):
# arm64.sh FOLDER. FOLDER gets Debian's arm64 packages, the wheels for aarch64, qemu and a log, FOLDER/arm64.log; half a
# gigabyte. It takes up to an hour, nearly all of it numba compiling on the emulated processor. Nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
mkdir -p "${1:?give a folder}"
folder=$(cd "$1" && pwd)
log=$folder/arm64.log

mkdir -p "$folder"/{lists/partial,cache/archives/partial,debian,tools,home}
: >"$folder/status"
own=(-o APT::Sandbox::User=root -o Debug::NoLocking=1)
arm=("${own[@]}" -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o "Dir::State=$folder"
  -o "Dir::State::lists=$folder/lists" -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache")
apt-get "${arm[@]}" update -qq
apt-get "${arm[@]}" install -y -qq --no-install-recommends --download-only python3.11 libstdc++6
# without what they depend on: a whole frontend, and Debian's other tools
(cd "$folder/cache/archives" && apt-get "${arm[@]}" download -qq libretro-nestopia)
for package in "$folder"/cache/archives/*.deb; do dpkg -x "$package" "$folder/debian"; done
(cd "$folder/tools" && apt-get "${own[@]}" download -qq qemu-user-static libretro-nestopia)
for package in "$folder"/tools/*.deb; do dpkg -x "$package" "$folder/tools"; done

"${PYTHON:-.venv/bin/python}" -m pip install --quiet --upgrade --target "$folder/site" --python-version 3.11 \
  --implementation cp --abi cp311 --abi abi3 --abi none --only-binary=:all: \
  --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux_2_17_aarch64 \
  --platform manylinux2014_aarch64 -c <(sed -n 's/^\([^ #]*==[^ ;]*\).*/\1/p' constraints/py3.11.txt) \
  'libretro.py>=0.6,<0.7' numpy numba llvmlite pillow pyyaml pydantic typer rich

on_arm() {
  env -i HOME="$folder/home" PATH=/usr/bin PYTHONPATH="$folder/site:$here/bot" PYTHONDONTWRITEBYTECODE=1 \
    "$folder/tools/usr/bin/qemu-aarch64-static" -L "$folder/debian" "$folder/debian/usr/bin/python3.11" "$@"
}
on_this() {
  OCHIBOT_CORES="$folder/tools/usr/lib/x86_64-linux-gnu/libretro" PYTHONPATH=bot "${PYTHON:-.venv/bin/python}" "$@"
}

{
  on_arm -c 'import platform, sys; print(platform.machine(), platform.platform(), sys.version)'
  echo "== this processor"
  on_this tools/arm64_check.py same | tee "$folder/this"
  echo "== aarch64 under qemu"
  on_arm tools/arm64_check.py same | tee "$folder/arm"
  cmp "$folder/this" "$folder/arm" && echo "all digests are equal"
  on_arm tools/arm64_check.py play
} 2>&1 | grep -v '^compiling' | tee "$log"
