# make play   sets everything up and lets the bot play 500 pieces of the embedded game
# make test   sets everything up and runs the linters and the tests
# make roms   rebuilds the homebrew cartridges (needs cc65, gcc-m68k-linux-gnu and z80asm)
# make bench  measures speed            make prove   the long proofs (results go to docs/)
# make test-all   the test suite on every Python 3.11 to 3.13 found here

PYTHON ?= $(shell for v in 3.13 3.12 3.11; do command -v python$$v >/dev/null 2>&1 && python$$v -c '' 2>/dev/null && { echo python$$v; exit; }; done; echo python3)
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SEED ?= 1

.PHONY: play test lint pytest test-all roms bench prove clean

$(READY): pyproject.toml hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' \
		|| { echo "Python 3.11, 3.12 or 3.13 is needed; give one with: make PYTHON=python3.12"; exit 2; }
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	@touch $@

play: $(READY)
	mkdir -p runs
	$(BIN)/ochibot play --pieces 500 --seed $(SEED) --json runs/play.json --screenshot runs/play.png

test: lint pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

pytest: $(READY)
	$(BIN)/python -m pytest -n 2

test-all:
	tools/test_all.sh

roms:
	roms/homebrew/famicom/build.sh
	roms/homebrew/neogeo/build.sh

bench: $(READY)
	$(BIN)/ochibot bench console
	$(BIN)/ochibot bench pilot
	$(BIN)/ochibot bench search --threads 2
	$(BIN)/ochibot bench nyaa
	$(BIN)/ochibot bench record

prove: $(READY)
	$(BIN)/python tools/prove.py

clean:
	rm -rf $(VENV) .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist runs
