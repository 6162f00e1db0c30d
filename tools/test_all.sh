#!/usr/bin/env bash
# Lint and the whole suite on every Python that tools/pythons.sh finds. Each has its own .venv-X.Y.
set -euo pipefail
cd "$(dirname "$0")/.."

pythons=$(tools/pythons.sh) || { echo "no Python 3.11, 3.12 or 3.13 found"; exit 2; }
for version in 3.11 3.12 3.13; do
  grep -q "^$version " <<<"$pythons" || echo "Python $version: not found, skipped"
done

while read -r version python <&3; do
  echo "Python $version: $python"
  make --no-print-directory test test-long PYTHON="$python" VENV=".venv-$version"
done 3<<<"$pythons"
