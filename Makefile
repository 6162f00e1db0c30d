# make play   sets everything up and lets the bot play 500 pieces of the embedded game (PIECES=50: 50 of them)
# make test   sets everything up and runs the linters and the tests
# make test-quick   some of the tests, a minute's worth         make test-long   longer games
# make test-all     all of that on every Python 3.11 to 3.13 found here
# make lock   writes constraints/ (the versions installed here); make lock UPGRADE=1 takes the newest
# make wheel  writes the package as one file to dist/
# make roms   rebuilds the homebrew cartridges (needs cc65, gcc-m68k-linux-gnu and z80asm; sdcc and gcc-arm-none-eabi for
#             Kodama, which is left as it is without them)
# make kernels   writes the code of kernels that is shipped, after a change of them (a test says when); then make web
# make web    builds the web page from web/ (needs Node.js 20 and npm); what it builds is committed
# make docs   builds the site of the documentation into site/ (ochibot docs opens it)
# make bench  measures speed            make prove   the tests marked proof, then the long proofs (results go to docs/)
# make mutate   tries some 400 small changes of the code against the nearest tests (docs/mutants.md; an hour and more)
# make fuzz   gives some 8,400 damaged files and odd words to the commands (make fuzz SEED=2 gives others)

PYTHON ?= $(or $(shell tools/pythons.sh | sed -n '1s/[^ ]* //p'),python3)
VENV ?= .venv
LOCK_VENV := .venv-lock
BIN := $(VENV)/bin
# what tests and linters need is installed; what play needs is
READY := $(VENV)/.ready
PLAYABLE := $(VENV)/.playable
WARM := $(VENV)/.warm
SEED ?= 1
PIECES ?= 500
# what test-quick runs: maps, consoles, rules, and the value of a field
QUICK := tests/ram tests/console tests/puyo/rules tests/puyo/sim tests/puyo/search/test_evaluate.py tests/games/test_outside.py
# Modules are compiled once, not by each of some hundreds of processes, even where the environment says otherwise; what is
# compiled lies in the environment, not among the sources.
COMPILED := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX='$(abspath $(VENV))/.bytecode'
TESTS := $(COMPILED) $(BIN)/python -m pytest -n 2
# one line of uv, so that everybody's files of constraints are laid out alike
UV := uv>=0.13,<0.14

.PHONY: install play test lint pytest test-quick test-long test-all lock wheel roms kernels web docs bench fuzz mutate prove clean

# all constraints, since the Python of the environment is not known before it is there
$(READY): pyproject.toml hatch_build.py $(wildcard constraints/*.txt)
	@tools/set_up.sh "$(PYTHON)" "$(VENV)" dev
	@touch $@ $(PLAYABLE)

$(PLAYABLE): pyproject.toml hatch_build.py $(wildcard constraints/*.txt)
	@tools/set_up.sh "$(PYTHON)" "$(VENV)" cores,window
	@touch $@

# the kernels of all titles, each title's in a process of its own; play compiles what is still missing
$(WARM): $(PLAYABLE)
	$(BIN)/ochibot warm
	@touch $@

install: $(WARM)

# play compiles the kernels of its own game, when it first needs them
play: $(PLAYABLE)
	mkdir -p runs
	$(BIN)/ochibot play --pieces $(PIECES) --seed $(SEED) --json runs/play.json --screenshot runs/play.png

# the kernels are compiled while mypy, which uses one core, is at work
test: $(READY)
	$(MAKE) --no-print-directory -j 2 --output-sync=target lint $(WARM)
	$(MAKE) --no-print-directory pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@# a cache for each environment: two that are linted at once, as in .ci/run, would break a shared one
	$(BIN)/mypy --cache-dir .mypy_cache/$(notdir $(VENV))
	$(BIN)/lint-imports

pytest: $(READY)
	$(TESTS) -m 'not long and not proof'

test-quick: $(READY)
	$(TESTS) -m 'not long and not proof' $(QUICK)

test-long: $(READY)
	$(TESTS) -m 'long and not proof'

test-all:
	tools/test_all.sh

# For all three Pythons, whichever is here. A version written before is kept as long as pyproject.toml allows it;
# UPGRADE=1, or deleting the files, takes the newest.
lock:
	$(LOCK_VENV)/bin/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(LOCK_VENV)
	$(LOCK_VENV)/bin/python -m pip install --quiet '$(UV)'
	for v in 3.11 3.12 3.13; do \
		$(LOCK_VENV)/bin/uv pip compile --quiet $(if $(UPGRADE),--upgrade) --python $(LOCK_VENV)/bin/python \
			--python-version $$v --python-platform x86_64-manylinux_2_28 --extra dev --extra docs pyproject.toml constraints/build.in \
			--custom-compile-command 'make lock   (newest versions: make lock UPGRADE=1)' -o constraints/py$$v.txt || exit; \
	done

wheel: $(READY)
	$(BIN)/python -m build --wheel --no-isolation

roms:
	roms/homebrew/famicom/build.sh
	roms/homebrew/neogeo/build.sh
	roms/homebrew/megadrive/build.sh
	roms/homebrew/portable/build.sh
	python3 tests/variants/build.py
	python3 tests/strangers/build.py

# LLVM's code of the kernels that play needs first, and the engine for the browser; on x86-64 Linux, after every change of
# a kernel
kernels: $(READY)
	$(BIN)/python tools/ship_kernels.py
	$(BIN)/python tools/web_engine.py

# esbuild of one version alone, so that the bytes are always the same
web:
	cd web && npm ci --no-audit --no-fund && npm run --silent build

docs: $(PLAYABLE)
	@tools/set_up.sh "$(PYTHON)" "$(VENV)" docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "the site is in site/index.html"

bench: $(READY)
	$(BIN)/ochibot bench console
	$(BIN)/ochibot bench console nyaa
	$(BIN)/ochibot bench start
	$(BIN)/ochibot bench pilot
	$(BIN)/ochibot bench search --threads 2
	$(BIN)/ochibot bench nyaa
	$(BIN)/ochibot bench record

fuzz: $(READY)
	mkdir -p runs/fuzz
	$(BIN)/python -m tests.fuzz --seed $(SEED) --json runs/fuzz/seed$(SEED).json

mutate: $(READY)
	$(BIN)/python -m pip install --quiet -e '.[mutate]'
	nice $(BIN)/python tools/mutate.py --seed $(SEED) --sample 400

prove: $(READY)
	$(TESTS) -m proof
	$(BIN)/python tools/prove.py

clean:
	rm -rf $(VENV) .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist site runs
