# The two commands a newcomer needs: make demo, make test. Each makes .venv by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: install demo test lint docs bench soak clean

install: $(STAMP)

$(STAMP): requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "fide-batch needs Python 3.11 or newer; say make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

demo: install
	@rm -rf demo && mkdir demo && cp -R sample_data/. demo/
	@cd demo && ../$(BIN)/fide-batch run --period 2026-11 results/
	@cd demo && ../$(BIN)/fide-batch export --period 2026-11 list.xlsx
	@cd demo && ../$(BIN)/fide-batch export --period 2026-11 list.html
	@cd demo && ../$(BIN)/fide-batch inactive --period 2026-11
	@echo "Everything is in the folder demo: look at demo/list.xlsx, demo/list.html, or try"
	@echo "  cd demo && ../$(BIN)/fide-batch explain --period 2026-11 Petit"

test: install
	$(BIN)/python -m pytest -n 2 -m "not soak"

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: install
	$(BIN)/python docs/make.py

bench: install
	$(BIN)/python benchmarks/run.py

# The long forms of the proofs: by the sum of their parts three quarters of an hour on two quiet processors.
soak: install
	FIDE_BATCH_WORKERS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m soak
	$(BIN)/python -m tests.soak.mutation 200

clean:
	rm -rf $(VENV) demo build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
