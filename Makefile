# `make play` and `make test` set up everything they need; Python 3.11+ with venv is all that must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: play test lint unit bench hardware clean

play: $(STAMP)
	$(BIN)/tamsk-pi simulate

test: lint unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/pytest

bench: $(STAMP)
	$(BIN)/python -m tests.bench

# Needs OpenSCAD and Graphviz beside what pip brings; says what it leaves as it is without them.
hardware: $(VENV)/.hardware
	$(BIN)/python -m hardware.tools

$(VENV)/.hardware: $(STAMP)
	$(BIN)/pip install --quiet --editable '.[dev,hardware]'
	touch $@

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tamsk-pi needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
