# Every target sets up what it needs: a virtual environment with the locked versions.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: site serve test check lint fix clean

site: $(READY)  ## build the site into site/ and show it on http://127.0.0.1:8000/
	$(BIN)/evidence-matrix check
	$(BIN)/evidence-matrix serve

build: $(READY)  ## build the site into site/
	$(BIN)/evidence-matrix build

check: $(READY)  ## judge the claims
	$(BIN)/evidence-matrix check

test: $(READY)  ## lint, types, all tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2

fix: $(READY)  ## format, and mend what ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf build site .cache $(VENV)

$(READY): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	touch $@
