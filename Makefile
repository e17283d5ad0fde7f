# make demo          the checker on examples/
# make test          the Python suite (needs JAX: it is the oracle)
# make test-editors  the extension in a real VS Code
# make bench         beside ruff, ty, pyrefly and basedpyright, on this machine; JAX=FOLDER: with a checkout of JAX
# make check         formatting, lint, types, order of the layers
# make release       wheel, sdist and extension of the last commit, reproducibly, into dist/
# make docs          docs/rules from tests/rules, docs/licences.md from what is installed, server/jaxref/index.py
#
# Everything is installed into .venv, once: the stamps in it are older than pyproject.toml only when
# something is left to do.

.PHONY: demo test test-editors bench check release docs format clean
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
SOURCES := server tests tools

demo: $(VENV)/.installed
	@$(BIN)/jaxref check examples; code=$$?; test $$code -le 1

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest $(ARGS)

test-editors:
	node tests/editors/run.mjs

bench: $(VENV)/.installed
	$(BIN)/python benchmarks/commands.py --json .cache/benchmarks/run.json $(JAX)
	$(BIN)/python benchmarks/servers.py --json .cache/benchmarks/run.json $(if $(JAX),--jax $(JAX))
	$(BIN)/python benchmarks/growth.py --json .cache/benchmarks/run.json
	$(BIN)/python benchmarks/compare.py .cache/benchmarks/run.json

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tools/index.py --check

release: $(VENV)/.installed
	$(BIN)/python tools/release.py $(ARGS)

docs: $(VENV)/.installed
	$(BIN)/python tools/rule_pages.py
	$(BIN)/python tools/licences.py
	$(BIN)/python tools/index.py

format: $(VENV)/.installed-dev
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.made: .ci/pick-python
	@python=$$(.ci/pick-python) && echo "making $(VENV) with $$python" && "$$python" -m venv --clear $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml
	$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(PIP) install --editable '.[test]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed-test
	$(PIP) install --editable '.[test,dev]'
	@touch $@
