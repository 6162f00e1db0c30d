#!/bin/sh
# Prints the Pythons 3.13 to 3.11 found on the PATH and among pyenv's, newest first: of each version one line, as in
# "3.13 /usr/bin/python3.13". Each has been tried: pyenv's shims may stand for nothing, and Debian's may lack venv.
found=1
for minor in 13 12 11; do
  IFS=:
  set -f
  set --
  for folder in $PATH; do
    set -- "$@" "$folder/python3.$minor" "$folder/python3"
  done
  set +f
  unset IFS
  for python in "$@" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3."$minor".*/bin/python; do
    [ -x "$python" ] || continue
    "$python" -c "import ensurepip, sys, venv; sys.exit(sys.version_info[:2] != (3, $minor))" 2>/dev/null || continue
    echo "3.$minor $python"
    found=0
    break
  done
done
exit $found
