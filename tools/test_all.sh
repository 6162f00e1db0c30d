#!/usr/bin/env bash
# Runs the test suite on every Python 3.11 to 3.13 found: on the PATH and among pyenv's. Each has its own .venv-X.Y.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A found=()
for minor in 11 12 13; do
  for candidate in "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3."$minor".*/bin/python; do
    path=$(command -v "$candidate" 2>/dev/null) || continue
    "$path" -c "import sys; sys.exit(sys.version_info[:2] != (3, $minor))" 2>/dev/null || continue
    found[$minor]=$path
    break
  done
done
[ ${#found[@]} -gt 0 ] || { echo "no Python 3.11, 3.12 or 3.13 found"; exit 2; }

for minor in 11 12 13; do
  [ -n "${found[$minor]:-}" ] || { echo "Python 3.$minor: not found, skipped"; continue; }
  echo "Python 3.$minor: ${found[$minor]}"
  make --no-print-directory pytest PYTHON="${found[$minor]}" VENV=".venv-3.$minor"
done
