# make demo   set up, run the lander campaign, show where its report is
# make test   set up, run the tests
# Everything lives in .venv, made on first use. Other Python: make demo PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_WORKERS ?= 2

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
unexport PYTHONDONTWRITEBYTECODE   # else every process reads all sources anew: 15 s for each worker of the tests

.PHONY: help demo test check bench docs gallery validate clean

help:
	@echo "make demo      set up and run the lander campaign; prints the path of its report"
	@echo "make test      set up and run the tests"
	@echo "make check     ruff (lint, format) and mypy"
	@echo "make bench     speed and error beside peers, in the same run"
	@echo "make docs      build the documentation into site/"
	@echo "make gallery   draw the pictures of README anew; needs a Chromium"
	@echo "make validate  the slow tests, and the studies of docs/validation/landers.md and nets.md; half an hour of one core"
	@echo "make clean     remove .venv and everything that was built"

demo: $(VENV)/.installed-run
	@$(BIN)/haptos demo lander

test: $(VENV)/.installed-test
	@$(BIN)/python -c 'from haptos.view.chromium import chromium_path as p; print("haptos: tests in the browser:", p() or "left out, no Chromium found (apt-get install chromium)")'
	@$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist worksteal tests

check: $(VENV)/.installed-check
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(VENV)/.installed-bench
	@$(BIN)/haptos bench

docs: $(VENV)/.installed-docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "haptos: documentation is in site/index.html"

gallery: $(VENV)/.installed-run
	@$(BIN)/python docs/pictures/gallery.py

validate: $(VENV)/.installed-test
	@$(BIN)/python -m tests.validation.landers
	@$(BIN)/python -m tests.validation.nets
	@$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist worksteal -m slow tests

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .hypothesis .benchmarks
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# One file per set of packages says it is installed; a change of versions installs again.
$(VENV)/.installed-%: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "haptos: installing what 'make $(MAKECMDGOALS)' needs into $(VENV) (one to three minutes the first time)"
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt \
	  --editable '.$(if $(filter run,$*),,[$*])'
	@touch $@

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  found=$$($(PYTHON) --version 2>/dev/null); \
	  echo "haptos: $(PYTHON): found $${found:-no such program}" >&2; \
	  echo "  allowed: Python 3.11 or newer" >&2; \
	  echo "  try: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@
