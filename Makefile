# The only door: CI and pre-commit call the same targets.
VENV ?= .venv
BIN := $(VENV)/bin
export PATH := $(abspath $(BIN)):$(PATH)

.PHONY: help setup tools demo lab test pythons lint docs update screenshots bench bench-guard mutate fuzz
.DEFAULT_GOAL := help

help: ## Show this text
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## Make the virtual environment, with what using needs
	@.ci/system
	@.ci/environment $(VENV)

tools: ## Make the virtual environment, with what developing needs
	@.ci/system
	@.ci/environment $(VENV) dev

demo: setup ## Port the shipped extension: survey, transcode, check, fix until green, report
	@python notebooks/examples/demo.py

lab: setup ## Open JupyterLab on the notebooks
	jupyter lab --notebook-dir notebooks

test: ## Set up, then run every test that CI runs
	@.ci/system --all
	@.ci/environment $(VENV) dev
	python -m pytest -n 2 --dist loadgroup

pythons: ## Run the tests that need neither torch nor a compiler under the other Pythons, or PYTHONS=3.10
	@.ci/pythons $(PYTHONS)

lint: ## Check format, style, types, and the plan of the house
	@.ci/environment $(VENV) dev
	ruff format --check .
	ruff check .
	mypy
	lint-imports
	npm --prefix extension/review run --silent lint
	npm --prefix extension/labextension run --silent lint

docs: tools ## Build the documentation; a broken link is an error
	mkdocs build --strict --config-file .ci/mkdocs.yml

update: tools ## Rewrite recorded outputs and generated pages, then read the diff
	python docs/generate.py
	python tests/rules/record_fixtures.py --fixed

screenshots: tools ## Take the pictures of the README again, in JupyterLab with the compiler of this machine
	python docs/screenshots.py

mutate: ## Break every condition of the fix rules once, and see which recorded failure tells
	python tests/rules/mutate.py

fuzz: tools ## Fuzz what reads foreign text, TIME=600 seconds each; with atheris if it is there
	@set -e; for target in tests/fuzz/fuzz_*.py; do \
	  python $$target -max_total_time=$(or $(TIME),600); \
	done

bench: tools ## Measure speed against the peers in the same run; JSON and bench.md in .artifacts/
	@python -m benchmarks

bench-guard: tools ## Measure, and fail where a ratio is beyond its limit in benchmarks/expected.json
	@python -m benchmarks --guard transcode check batch
