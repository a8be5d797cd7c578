# `make play` and `make test` set up everything they need; Python 3.11+ with venv is all that must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCALE := tamsk_pi/signals/locale

.PHONY: play club test check lint core unit lowest bench catalogues hardware install uninstall deb kernel-tools clean

play: $(STAMP)
	$(BIN)/tamsk-pi simulate

test: lint unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# What is quick enough for every commit: the text and the types of everything, and those tests of the core that are.
check: lint core

CORE_TESTS := tests/test_imports.py $(addprefix tests/,sensing referee trace)
core: $(STAMP)
	$(BIN)/pytest -q -n auto --dist loadfile $(CORE_TESTS)

# Side by side on as many processors as there are; tests of one file stay together, as they share what is dear, and
# keep the order that tests/conftest.py gives.
unit: $(STAMP)
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

# The lowest versions of what the program needs, in a place of their own, under what leans on them.
LOWEST := $(VENV)/lowest
LOWEST_TESTS := tests/cases tests/config tests/trace tests/devices \
	tests/commands/test_output.py tests/commands/test_completion.py tests/rules/test_position.py tests/rules/test_record.py \
	$(addprefix tests/web/test_,app.py gate.py messages.py pairing.py replays.py server.py)
lowest: $(LOWEST)/.installed
	$(LOWEST)/bin/pytest -q -p no:cacheprovider -W ignore::DeprecationWarning $(LOWEST_TESTS)

$(LOWEST)/.installed: pyproject.toml tests/lowest.py
	$(PYTHON) -m venv --clear $(LOWEST)
	mkdir -p build
	$(PYTHON) tests/lowest.py >build/lowest.txt
	$(LOWEST)/bin/pip install --quiet --constraint build/lowest.txt --editable . \
		axe-playwright-python httpx httpx2 hypothesis playwright pytest pytest-timeout
	touch $@

bench: $(STAMP)
	$(BIN)/python -m tests.bench

# Brings the languages' catalogues up to date with the texts in the code; what is new there is then to be translated.
catalogues: $(STAMP)
	mkdir -p build
	$(BIN)/python -m babel.messages.frontend --quiet extract --mapping=pyproject.toml \
		--sort-output --no-location --no-wrap --omit-header -o build/tamsk-pi.pot tamsk_pi
	$(BIN)/pybabel --quiet update --no-wrap --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		-D tamsk-pi -i build/tamsk-pi.pot -d $(LOCALE)
	$(BIN)/pybabel --quiet compile -D tamsk-pi -d $(LOCALE)

# Brings up to date what is generated from the board profiles and parameters: tables, wiring, netlists, solids, pictures.
# Needs OpenSCAD and Graphviz beside what pip brings; says what it leaves as it is without them.
hardware: $(VENV)/.hardware
	$(BIN)/python -m hardware.tools

$(VENV)/.hardware: $(STAMP)
	$(BIN)/pip install --quiet --editable '.[dev,hardware]'
	touch $@

# A club night on this machine: a broker (Mosquitto), eight boards that play a round by themselves, and the hub's page.
# SPEED=20 plays faster.
club: $(STAMP)
	$(BIN)/tamsk-pi hub demo $(if $(SPEED),--speed $(SPEED))

# As a service on a Pi: docs/install.md. DESTDIR=folder installs below that folder and touches nothing else.
install:
	PYTHON="$(PYTHON)" DESTDIR="$(DESTDIR)" systemd/install.sh

# As a Debian package, in dist/: docs/install.md.
deb:
	PYTHON="$(PYTHON)" systemd/build-deb.sh

uninstall:
	DESTDIR="$(DESTDIR)" systemd/uninstall.sh

# What the tests against a real kernel's GPIO need in the environment; from Debian they need what .ci/run installs.
kernel-tools: $(STAMP)
	$(BIN)/pip install --quiet 'lgpio>=0.2.2' 'rpi-lgpio>=0.6'

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tamsk-pi needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
