#!/usr/bin/env bash
# Makes the virtual environment of a checkout and says what it does, stage by stage, with sizes and times:
# set_up.sh PYTHON VENV EXTRAS. EXTRAS are the extras of pyproject.toml to install, such as dev; what is there stays.
# What is said of sizes was measured with constraints/py3.13.txt; the last line measures what has come of it here.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$1 venv=$2 extras=$3
bin=$venv/bin
pip() { "$bin/python" -m pip --disable-pip-version-check "$@"; }

refuse() {
  echo "$1. On Debian 12, Ubuntu 24.04 or newer: sudo apt install python3-venv (elsewhere: make PYTHON=python3.12)" >&2
  exit 2
}

# pip's progress bars need the terminal; elsewhere its lines are enough, without those on what is there already
tell() {
  if [ -t 1 ]; then
    "$@"
  else
    "$@" | sed -u -e '/^Requirement already satisfied/d' -e '/^Looking in /d'
  fi
}

if ! pip --version >/dev/null 2>&1; then
  command -v "$python" >/dev/null || refuse "$python is not installed"
  "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null \
    || refuse "$python is not Python 3.11, 3.12 or 3.13"
  # Debian has ensurepip in a package of its own
  "$python" -c 'import ensurepip, venv' 2>/dev/null || refuse "$python lacks venv or ensurepip"
  echo "1/3 making the virtual environment $venv with $("$python" --version)"
  "$python" -m venv --clear "$venv"
else
  echo "1/3 $venv is there already"
fi

locked=constraints/py$("$bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])').txt
test -f "$locked" || { echo "$locked is missing; make lock writes it (for Python 3.11, 3.12 and 3.13)"; exit 2; }
case $extras in
  dev) size="a download of about 450 MB the first time" ;;
  cores,window) size="a download of about 220 MB the first time" ;;
  *) size="a download of some MB" ;;
esac
echo "2/3 fetching and installing what $extras needs, in the versions of $locked: $size"
case $extras in
  dev | cores*) echo "    (123 MB of it stable-retro, which brings the emulator cores); half a minute, or some minutes on a slow line" ;;
esac
tell pip install --upgrade pip
# compiling all modules would take longer than installing them; Python compiles those it uses when it first imports them
tell pip install --no-compile -c "$locked" --build-constraint "$locked" -e ".[$extras]"

echo "3/3 $venv is ready after $SECONDS s and takes $(du -sm "$venv" | cut -f1) MB"
