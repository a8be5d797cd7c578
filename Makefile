# `make play` and `make test` set up everything they need; Python 3.11+ with venv is all that must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCALE := tamsk_pi/signals/locale

.PHONY: play test lint unit bench catalogues clean

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

# Brings the languages' catalogues up to date with the texts in the code; what is new there is then to be translated.
catalogues: $(STAMP)
	mkdir -p build
	$(BIN)/pybabel --quiet extract --sort-output --no-location --no-wrap --omit-header -o build/tamsk-pi.pot tamsk_pi/signals
	$(BIN)/pybabel --quiet update --no-wrap --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		-D tamsk-pi -i build/tamsk-pi.pot -d $(LOCALE)
	$(BIN)/pybabel --quiet compile -D tamsk-pi -d $(LOCALE)

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tamsk-pi needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
