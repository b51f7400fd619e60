# Everything a developer or CI runs. `make` alone lists the targets; CONTRIBUTING.md tells more.
#
# All of it happens in .venv (Python tools, the package itself in place) and build/ (C builds);
# `make clean` removes both. Stamp files make second runs quick. Tools that are no must (clang,
# cppcheck) are skipped with one line where they are missing, and are a must where CI=true.
#
#   PYTHON=python3.13 make test     another Python for .venv
#   PYTHONS="..." make test-wheel   the Pythons to try the wheel with (default: all that are found)
#
# Written for any make of the last twenty years: no GNU-only syntax.

PYTHON ?= python3
PYTEST_ARGS ?= -n auto
FUZZ_SECONDS ?= 60
TEXT ?= ../shared/data/text/zh-niutrans_modern.txt

BIN = .venv/bin
C_FILES = find csrc examples tests tools benchmarks -name '*.[ch]' ! -name unicode.c

.PHONY: help demo build test test-quick test-c test-python test-wheel sanitize lint unicode format \
        bench bench-full fuzz fuzz-quick valgrind tsan coverage matrix single cross wheels clean
.NOTPARALLEL:

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## /\1|/p' Makefile | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

demo: build ## build, then index and search real text in four languages
	@$(BIN)/python examples/demo.py

test: lint unicode test-c sanitize valgrind tsan fuzz-quick test-wheel test-python ## everything that CI runs

test-quick: build test-c .venv/.dev ## C tests and the Python tests that are not slow
	@$(BIN)/pytest -m "not slow" $(PYTEST_ARGS)

test-c: build ## the C tests of the core
	@$(BIN)/ctest --test-dir build/dev --output-on-failure

test-python: build .venv/.dev ## the Python tests
	@$(BIN)/pytest $(PYTEST_ARGS)

test-wheel: wheels ## look into the wheel, install it into every Python that is found, and use it
	@$(BIN)/python tools/load_test.py dist/*.whl
	@$(BIN)/python tools/check_wheel.py dist/*.whl dist/*.tar.gz

sanitize: build .venv/.dev ## C and Python tests with AddressSanitizer and UBSan
	@sh tools/sanitize.sh $(PYTEST_ARGS)

coverage: build .venv/.bench ## line and branch coverage of csrc/ and of the Python package
	@sh tools/coverage.sh $(PYTEST_ARGS)

matrix: build .venv/.dev ## the SQL tests over SQLite 3.40 to 3.54 and two unusual builds
	@$(BIN)/python tools/matrix.py

lint: .venv/.dev ## ruff, mypy, clang-format, gcc and clang with -Werror, cppcheck
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/clang-format --dry-run -Werror $$($(C_FILES))
	@for cc in gcc clang; do \
	  sh tools/optional.sh $$cc "$$cc (apt-get install $$cc)" \
	    sh tools/build.sh $$cc -DCMAKE_C_COMPILER=$$cc -DCMAKE_BUILD_TYPE=Release || exit 1; \
	done
	@sh tools/optional.sh cppcheck "cppcheck (apt-get install cppcheck)" \
	  cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr \
	  --enable=warning,performance,portability csrc examples

unicode: .venv/.base ## are the committed Unicode tables what the generator writes?
	@sh tools/optional.sh -f /usr/share/unicode/UnicodeData.txt \
	  "the Unicode database (apt-get install unicode-data)" \
	  $(BIN)/python tools/make_unicode.py --check
	@sh tools/optional.sh -f /usr/share/unicode/UnicodeData.txt \
	  "the Unicode database (apt-get install unicode-data)" \
	  $(BIN)/python tools/make_memory_tables.py --check

format: .venv/.dev ## rewrite the sources as ruff and clang-format like them
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $$($(C_FILES))

bench: build .venv/.bench ## the benchmarks, in minutes; TEXT is what they measure with
	@sh tools/build.sh bench -DCMAKE_BUILD_TYPE=Release -DCJK_BENCHMARKS=ON
	@$(BIN)/pytest benchmarks --benchmark-autosave --benchmark-columns=median,iqr,rounds -q --text $(TEXT)
	@$(BIN)/python -m benchmarks.suite quick --text $(TEXT)
	@$(BIN)/python benchmarks/load_cost.py
	@$(BIN)/python benchmarks/detect_throughput.py
	@$(BIN)/python benchmarks/words_throughput.py $(TEXT) build/bench/benchmarks/words_throughput
	@$(BIN)/python benchmarks/smoke.py

bench-full: build .venv/.bench ## the published ones, in an hour; goes on where it was stopped
	@sh tools/build.sh bench -DCMAKE_BUILD_TYPE=Release -DCJK_BENCHMARKS=ON
	@$(BIN)/python -m benchmarks.suite full --text $(TEXT)

fuzz: .venv/.base ## fuzz with clang's libFuzzer, each target for FUZZ_SECONDS
	@sh tools/fuzz.sh $(FUZZ_SECONDS)

fuzz-quick: .venv/.base ## the same for ten seconds each, as CI does
	@sh tools/optional.sh clang "clang (apt-get install clang libclang-rt-14-dev)" \
	  env SEED=1 sh tools/fuzz.sh 10

valgrind: build ## the C tests under valgrind
	@sh tools/optional.sh valgrind "valgrind (apt-get install valgrind)" sh tools/valgrind.sh

tsan: .venv/.base ## sixteen threads at once, with ThreadSanitizer
	@sh tools/build.sh tsan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DCJK_SANITIZE=thread
	@$(BIN)/ctest --test-dir build/tsan --output-on-failure -R threads

single: build ## the library as one C file, for programs that link it, into build/single/
	@$(BIN)/python tools/amalgamate.py build/single --generated build/dev/generated
	@ls build/single/cjk_*

cross: single ## compile it for WebAssembly, Windows, macOS and musl, with zig (not part of CI)
	@sh tools/cross.sh

wheels: .venv/.dev ## sdist and wheel into dist/
	@sh tools/make_wheels.sh

clean: ## remove all that was built, and .venv
	rm -rf .venv build dist cjk_tokenizer/cjk.so cjk_tokenizer/cjk.dylib cjk_tokenizer/han_fold.txt

# The library of this tree, in the package of this tree, with debug information.
build: .venv/.base
	@sh tools/build.sh dev -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="$(CFLAGS) -g"
	@$(BIN)/cmake --install build/dev --prefix . > build/dev/install.log

# The environment for building and running; what developers need on top.
.venv/.base: pyproject.toml tools/make_environment.sh
	@sh tools/make_environment.sh $(PYTHON) cli
	@touch $@

.venv/.dev: .venv/.base
	@sh tools/make_environment.sh $(PYTHON) dev
	@touch $@

.venv/.bench: .venv/.dev
	@sh tools/make_environment.sh $(PYTHON) bench,dev
	@touch $@
