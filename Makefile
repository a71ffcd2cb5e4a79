# The commands of a developer.  `make demo` and `make test` work on a fresh machine; see README.md.

VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check
JOBS := $(shell nproc 2>/dev/null || echo 2)

# cmake and ninja come from the virtual environment; Open MPI, if it was fetched, goes by other names than MPICH.
OPEN_MPI_AT := $(CURDIR)/build/openmpi
export PATH := $(BIN):$(PATH):$(OPEN_MPI_AT)/bin
# Real graphs for the tests, if they lie beside the tree; tests that need them skip if they do not.
ifndef RIZOMA_SHARED
ifneq ($(wildcard ../shared/data),)
export RIZOMA_SHARED := $(abspath ../shared)
endif
endif

# PRECOMPILED=ON: headers of the standard library are read once for all test programs, which shortens a build without a cache of
# objects.  `make tidy` compiles without, so that a source that lacks an include is noticed.
PRECOMPILED ?= OFF
# Checks for bugs (RIZOMA_DCHECK) are on in all test builds, those of the standard library too.
TEST_BUILD := -G Ninja -DRIZOMA_TESTS=ON -DRIZOMA_STRICT=ON -DRIZOMA_BENCH=ON -DRIZOMA_LAB=ON -DRIZOMA_EXAMPLES=ON -DRIZOMA_PRECOMPILED=$(PRECOMPILED) -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1 -D_GLIBCXX_ASSERTIONS"
SOURCES := $(shell find src include python cmake CMakeLists.txt pyproject.toml -type f ! -name '*.pyc' ! -name '*_test.cpp')

# STRICT=1: warnings of the Python extension are errors; those of the library are in every test build.
PIP_INSTALL = CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PIP) install --quiet --no-build-isolation \
	$(if $(STRICT),--config-settings=cmake.define.RIZOMA_STRICT_PYTHON=ON)

CPP_SOURCES = $(shell git ls-files '*.cpp' '*.h')

.PHONY: help format setup build openmpi sanitize-modules test test-programs test-cpp test-python test-openmpi test-openmpi-part test-networkx demo docs wheel wheel-aarch64 lint locks tidy bench sanitize sanitize-part sanitize-python sanitize-mpi coverage mutants netlab clean

help:
	@echo "make demo      load a small real graph and analyse it: by a wheel in dist, or set up and build before"
	@echo "make test      set up, build and run all tests"
	@echo "make setup     system packages (where allowed) and the virtual environment $(VENV)"
	@echo "make build     the Python package, editable, in $(VENV)"
	@echo "make test-networkx  NetworkX's own tests, run on the backend (about eight minutes)"
	@echo "make openmpi   Open MPI, where it is not installed, in build/openmpi: for the builds and tests that follow"
	@echo "make test-openmpi  the tests of ranks with Open MPI (openmpi-bin and libopenmpi-dev, or make openmpi) in place of MPICH"
	@echo "make test-openmpi-part  some of these, in a minute or so"
	@echo "make format    lay out the C++ sources as .clang-format says"
	@echo "make lint      layers, tidiness, names of sources compiled together, words, docstrings, public headers, lines of the kernels, format, locks (where clang is there), ruff, mypy"
	@echo "make locks     clang's analysis of locks in every source; make lint looks at what changed and a share of the rest"
	@echo "make tidy      clang-tidy on what changed, and for each commit on another part; TIDY_MINUTES, or the files TIDY"
	@echo "make sanitize  the C++ tests under AddressSanitizer, UBSan and ThreadSanitizer"
	@echo "make sanitize-part  some of that: what changed, and for each commit another part; SANITIZE_MINUTES"
	@echo "make sanitize-python  the Python extension under AddressSanitizer and UBSan; make sanitize-mpi the same for the MPI transport"
	@echo "make coverage  lines and branches of the store, the import and queries that the tests reach, against their floor (needs clang)"
	@echo "make mutants   MUTANTS mutants of the store, drawn by SEED: which do the tests kill? (needs clang)"
	@echo "make torture   kill writing processes for thousands of rounds, explore more crash histories"
	@echo "make fuzz      fuzz every reader (needs clang); FUZZ_SECONDS each"
	@echo "make lab       placement and persistence tests in QEMU guests with several memories"
	@echo "make netlab    ranks on made-up hosts over TCP: answers, bytes, lost ranks (needs root)"
	@echo "make docs      the documentation as pages, in build/docs"
	@echo "make wheel     a wheel for PYTHON (default: that of $(VENV)) and glibc 2.28 or later, checked and tried, in dist"
	@echo "make wheel-aarch64  a wheel for aarch64, built on this machine and tried under emulation (Debian's compilers)"
	@echo "make bench     measure the kernels against their competitors"
	@echo "make clean     remove everything built"

setup: $(VENV)/ready
build: $(VENV)/built

$(VENV)/ready: tools/setup.sh pyproject.toml
	tools/setup.sh $(VENV)
	@touch $@

$(VENV)/built: $(VENV)/ready $(SOURCES) $(wildcard $(OPEN_MPI_AT)/bin/mpiexec.openmpi)
	$(PIP_INSTALL) --editable .
	@touch $@

# The same with what tests and checks need beyond the package itself.
$(VENV)/developer: $(VENV)/ready $(SOURCES) $(wildcard $(OPEN_MPI_AT)/bin/mpiexec.openmpi)
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/built

# From a wheel in dist, where this tree was not built.
demo:
	@if [ ! -e $(VENV)/built ] && tools/wheel/install.sh build/demo dist; then build/demo/bin/rizoma demo; \
	else $(MAKE) --no-print-directory build && $(BIN)/rizoma demo; fi

# What fails is run once more, alone; what passes then is named UNSTABLE (tools/run_tests.py).
test: test-cpp test-python

test-programs: $(VENV)/ready
	cmake -S . -B build/test $(TEST_BUILD) --log-level=WARNING
	cmake --build build/test --parallel $(JOBS)

test-cpp: test-programs
	$(BIN)/python tools/run_tests.py ctest build/test --parallel $(JOBS)

test-python: $(VENV)/developer test-cpp
	$(BIN)/python tools/run_tests.py pytest -n $(JOBS) --dist loadfile tests/python

openmpi:
	{ command -v mpiexec.openmpi && command -v mpicxx.openmpi; } >/dev/null || tools/open_mpi.sh $(OPEN_MPI_AT)

# The tests of ranks with Open MPI in place of MPICH, which Debian has as openmpi-bin and libopenmpi-dev.  What starts ranks
# by rz.cluster stays with MPICH.
OPEN_MPI := OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 MPI4PY_MPIABI=openmpi
test-openmpi: test-programs $(VENV)/developer
	ctest --test-dir build/test -R openmpi --output-on-failure --no-tests=error
	$(OPEN_MPI) RIZOMA_TEST_MPIEXEC=$$(command -v mpiexec.openmpi) $(BIN)/python -m pytest -q \
		tests/python/test_cluster.py tests/python/test_distribute.py tests/python/test_keeping.py \
		tests/python/test_match_ranks.py tests/python/test_shares.py

# A part of that, for a minute of two processors: of each way in which mpiexec starts ranks some.
OPEN_MPI_PART := test_cluster.py::test_a_command_on_ranks_gives_one_answer test_cluster.py::test_a_program_of_mpi4py_opens_a_store_together \
	test_cluster.py::test_a_rank_that_ends_early_is_missed test_cluster.py::test_ranks_with_other_stores_refuse \
	test_distribute.py::test_the_command_makes_parts_that_the_command_runs_on test_keeping.py::test_ranks_keep_values_in_the_store \
	test_match_ranks.py::test_data_nodes_and_workers_share_counts_and_rows \
	test_match_ranks.py::test_a_dead_rank_ends_the_count_by_its_name test_shares.py::test_ranks_make_the_store_of_one_process \
	test_shares.py::test_text_is_read_by_all_ranks test_shares.py::test_a_rank_that_is_killed_leaves_no_store
test-openmpi-part: test-programs $(VENV)/developer
	ctest --test-dir build/test -R openmpi --output-on-failure --no-tests=error
	$(OPEN_MPI) RIZOMA_TEST_MPIEXEC=$$(command -v mpiexec.openmpi) $(BIN)/python -m pytest -q -n $(JOBS) \
		$(addprefix tests/python/,$(OPEN_MPI_PART))

# NetworkX's own tests with every call sent to the backend; what it lacks falls back to NetworkX.
test-networkx: $(VENV)/developer
	NETWORKX_TEST_BACKEND=rizoma NETWORKX_FALLBACK_TO_NX=True $(BIN)/python -m pytest --pyargs networkx -q

lint: $(VENV)/developer
	$(BIN)/python tools/check_layers.py
	$(BIN)/python tools/check_tidy.py
	$(BIN)/python tools/check_classes.py
	$(BIN)/python tools/check_unity.py
	$(BIN)/python tools/check_words.py
	$(BIN)/python tools/check_docstrings.py
	$(BIN)/python tools/check_headers.py
	$(BIN)/python tools/check_kernels.py
	$(BIN)/python tools/check_preconditions.py
	$(BIN)/clang-format --dry-run --Werror $(CPP_SOURCES)
	$(BIN)/python tools/check_threads.py
	$(BIN)/ruff check .
	$(BIN)/mypy

# Mistakes that the compiler does not look for (.clang-tidy has the list), in what changed lately and a share of the rest
# that the commit decides (tools/share.py), in TIDY_MINUTES; or in the files TIDY.  Clang cannot read what gcc precompiled.
TIDY_MINUTES := 1
TIDY :=
tidy: $(VENV)/ready
	cmake -S . -B build/tidy $(TEST_BUILD) -DRIZOMA_PRECOMPILED=OFF --log-level=WARNING
	$(BIN)/python tools/check_mistakes.py --build build/tidy --minutes $(TIDY_MINUTES) $(TIDY)

# What `make lint` looks at with clang, in every source.
locks: $(VENV)/ready
	$(BIN)/python tools/check_threads.py --all

format: $(VENV)/developer
	$(BIN)/clang-format -i $(CPP_SOURCES)

docs: $(VENV)/built
	$(PIP) install --quiet --no-build-isolation --editable '.[docs]'
	$(BIN)/sphinx-build -q -W --keep-going -j auto docs build/docs
	@echo "the documentation is in build/docs/index.html"

wheel: $(VENV)/ready
	tools/wheel/build.sh $(or $(PYTHON),$(BIN)/python) dist

wheel-aarch64:
	tools/wheel/aarch64.sh dist

bench: build
	$(PIP) install --quiet --no-build-isolation --editable '.[bench]'
	cmake -S . -B build/bench -G Ninja -DRIZOMA_BENCH=ON -DCMAKE_BUILD_TYPE=Release --log-level=WARNING
	cmake --build build/bench --parallel $(JOBS)
	$(BIN)/rizoma bench kernels

# Of the crash points of scripted and random histories each 7th: the code is looked at, not the states.
sanitize: $(VENV)/ready
	cmake -S . -B build/asan $(TEST_BUILD) -DRIZOMA_BENCH=OFF -DRIZOMA_LAB=OFF -DRIZOMA_SANITIZE=address,undefined --log-level=WARNING
	cmake --build build/asan --parallel $(JOBS)
	RIZOMA_CRASH_STRIDE=7 ctest --test-dir build/asan --parallel $(JOBS) --output-on-failure --no-tests=error
	cmake -S . -B build/tsan $(TEST_BUILD) -DRIZOMA_BENCH=OFF -DRIZOMA_LAB=OFF -DRIZOMA_SANITIZE=thread --log-level=WARNING
	cmake --build build/tsan --parallel $(JOBS)
	RIZOMA_CRASH_STRIDE=7 ctest --test-dir build/tsan --parallel $(JOBS) --output-on-failure --no-tests=error

# What changed lately and a share of the rest, which the commit decides, under AddressSanitizer and UBSan, then a test
# program under ThreadSanitizer, in SANITIZE_MINUTES.
SANITIZE_MINUTES := 4
sanitize-part: test-programs
	$(BIN)/python tools/sanitize_part.py --tests build/test --build build/sanitize-part --minutes $(SANITIZE_MINUTES)

# What programs load when they run: its own sources are checked access by access, memory from the heap in the library, too.
# The library is compiled as `make build` compiles it, so that a cache of objects has it.
SANITIZED := build/sanitized
sanitize-modules: $(VENV)/developer
	CXX=g++ $(BIN)/cmake -S . -B $(SANITIZED) -G Ninja -DRIZOMA_PYTHON=ON -DRIZOMA_UNITY=ON -DRIZOMA_PRECOMPILED=ON -DCMAKE_BUILD_TYPE=Release \
		-DRIZOMA_SANITIZE_MODULES=address,undefined -DPython_EXECUTABLE=$(BIN)/python --log-level=WARNING

sanitize-python: sanitize-modules
	cmake --build $(SANITIZED) --parallel $(JOBS) --target _core
	$(BIN)/python tools/sanitized.py --build $(SANITIZED) python

sanitize-mpi: sanitize-modules test-programs
	cmake --build $(SANITIZED) --parallel $(JOBS) --target rizoma_modules
	$(BIN)/python tools/sanitized.py --build $(SANITIZED) mpi --tests build/test

coverage: test-programs
	$(BIN)/python tools/branch_coverage.py --tests build/test --build build/coverage --report build/coverage/report.json

# Each mutant is run until a test kills it; what is not killed is named.  Clang's own headers, which libclang of pip lacks.
MUTANTS := 100
SEED := $(shell python3 tools/share.py 2>/dev/null)
MUTANT_MINUTES := 240
mutants: test-programs $(VENV)/developer
	$(BIN)/python tools/mutants/build.py --tests build/test --build build/mutants --number $(MUTANTS) --seed $(SEED) \
		--clang-headers "$$(clang -print-resource-dir)/include"
	$(BIN)/python build/mutants/run/run.py --minutes $(MUTANT_MINUTES) --report build/mutants/report.json

# Deeper than CI goes.  ROUNDS: kills of writers and of imports; HISTORIES: random crash histories a world.
ROUNDS := 3000
HISTORIES := 200
torture: $(VENV)/ready
	cmake -S . -B build/test $(TEST_BUILD) --log-level=WARNING
	cmake --build build/test --parallel $(JOBS) --target test_cross test_store
	RIZOMA_TORTURE_ROUNDS=$(ROUNDS) build/test/test_cross --gtest_filter='Torture.*'
	RIZOMA_CRASH_HISTORIES=$(HISTORIES) RIZOMA_CRASH_SEED=$$(python3 tools/share.py) build/test/test_store --gtest_filter='*StoreCrash.*Random*'
	RIZOMA_CRASH_POINTS=all build/test/test_store --gtest_filter='*StoreInterruption.*'

FUZZ_SECONDS := 300
fuzz:
	tests/fuzz/run.sh $(FUZZ_SECONDS) build/fuzz

netlab: $(VENV)/developer
	$(BIN)/python tools/netlab/suite.py

clean:
	rm -rf build $(VENV)

include tools/lab/lab.mk
