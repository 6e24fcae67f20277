PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup run test bench lock art palettes messages

help:  ## what can be made
	@sed -n 's/^\([a-z]*\):.*  ## /\1\t/p' Makefile | expand -t 12

setup: .venv/dev.installed  ## everything needed to develop, in .venv

run: .venv/local.installed  ## the bot: on Discord with DISCORD_TOKEN, else the local table in a browser
	$(BIN)/python -m bot

test: setup  ## lint, format, types and all tests: what CI runs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/pytest --numprocesses auto --dist worksteal

bench: setup  ## every measurement in bench/
	@for file in bench/[a-z]*.py; do $(BIN)/python -m bench.$$(basename $$file .py) || exit 1; done

lock: setup  ## requirements/*.txt anew from pyproject.toml; UPGRADE=--upgrade takes the newest versions
	$(COMPILE) --extra dev --output-file requirements/dev.txt
	$(COMPILE) --extra local --constraint requirements/dev.txt --output-file requirements/local.txt
	$(COMPILE) --constraint requirements/dev.txt --output-file requirements/run.txt

art: setup  ## the pictures and fonts in renderers/assets anew; needs npm and the Debian packages named in build.py
	$(BIN)/python renderers/assets/build.py

palettes: setup  ## the colours of each game's pictures anew, after its look has changed
	$(BIN)/python -m tools.palettes

messages: setup  ## the catalogues of sentences anew; NEW=de begins the German one
	$(BIN)/pybabel --quiet extract --no-default-keywords $(KEYWORDS) --no-location --omit-header --sort-output \
		--project dawdle --output-file $(TEMPLATE) bot cogs renderers
ifdef NEW
	$(BIN)/pybabel --quiet init -D dawdle -d bot/locales --input-file $(TEMPLATE) --locale $(NEW)
endif
	@if ls bot/locales/*/LC_MESSAGES/dawdle.po >/dev/null 2>&1; then \
		$(BIN)/pybabel --quiet update -D dawdle -d bot/locales --input-file $(TEMPLATE) --ignore-pot-creation-date && \
		$(BIN)/pybabel --quiet compile -D dawdle -d bot/locales; \
	fi

COMPILE = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)
KEYWORDS = -k _ -k plural:1,2 -k Refused:1 -k whole_number:2 -k mapping:2 -k sequence:2
TEMPLATE = bot/locales/dawdle.pot

.venv/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and \
		'Dawdle needs Python 3.11 or newer: make PYTHON=python3.12, for instance.')"
	$(PYTHON) -m venv .venv

.venv/%.installed: requirements/%.txt .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	@touch $@
