# `make demo` and `make test` are all a fresh machine with Swift needs; the rest is for developers.

SWIFT ?= swift
# Not the sources of Tests/Museum/Model, which are in the form that Xcode gives them.
SOURCES = Package.swift Sources Plugins $(filter-out Tests/Museum,$(wildcard Tests/*)) $(wildcard Tests/Museum/*.swift) Examples Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Peers
# Where lines of comments are short enough already: swift-format does not wrap them.
WRAPPED = Package.swift Sources Plugins Examples

.PHONY: help demo install test static fuzz attack bench bench-counts bench-thresholds compile-time docs api api-check format lint coverage-of-semantics sqlite-headers

help:
	@echo "make demo    build and run the small cinema"
	@echo "make install PREFIX=/usr/local   install the program coredata with its completions and manual page"
	@echo "make test    build everything and run all tests"
	@echo "make static  build and run a program with Swift and Foundation linked into it"
	@echo "make fuzz    parse a million format strings with random mistakes (release build)"
	@echo "make attack  open harmful stores, models and queries in child processes (release build; COUNT=100000, SEED=…)"
	@echo "make bench   measure against the bare SQLite C API (release build; BENCHMARKS_GRDB=/path/to/GRDB.swift: and against GRDB)"
	@echo "make bench-counts   instructions, allocations and retains per object, which must stay below Benchmarks/thresholds.json"
	@echo "make bench-thresholds   write what make bench-counts finds as the new thresholds"
	@echo "make compile-time   the processor time for compiling a file of 50 entities; fails above a limit"
	@echo "make docs    the reference and the guides as a website, in .build/reference; fails at a warning"
	@echo "make api     write the public declarations to Documentation/PublicInterface.txt (make api-check: fails if it is out of date)"
	@echo "make format  format all sources in place"
	@echo "make lint    check format, style, the width of comments, the flows between folders, and the files that pages name"
	@echo "make coverage-of-semantics   which statements about Core Data's behaviour have tests (OPEN=1 lists the others)"

demo: sqlite-headers
	$(SWIFT) run cinema-demo

# With Swift and Foundation linked into it, so that it runs where Swift is not installed.
PREFIX ?= /usr/local
install: sqlite-headers
	$(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/installed --product coredata
	@scripts/install-tool "$$($(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/installed --show-bin-path)/coredata" "$(DESTDIR)$(PREFIX)"

# ONLY=PredicatesTests,StorageTests builds and runs these test targets alone.
test: export OPENCOREDATA_TESTS = $(ONLY)
test: sqlite-headers
	$(SWIFT) build --build-tests
	@if $(SWIFT) test --skip-build; then echo "make test: all tests passed"; \
	else echo "make test: FAILED, see above"; exit 1; fi

# In a folder of its own: SwiftPM would build everything again after each change between static and not.
static: sqlite-headers
	$(SWIFT) build --static-swift-stdlib --scratch-path .build/static --product static-program
	.build/static/debug/static-program

# Optimised, or it takes minutes.
fuzz: sqlite-headers
	$(SWIFT) run -c release fuzz-formats $(or $(COUNT),1000000)

# Each attack is made again by its number: .build/release/attack case SEED NUMBER
attack: sqlite-headers
	$(SWIFT) build -c release --product attack
	$$($(SWIFT) build -c release --show-bin-path)/attack run $(or $(COUNT),20000) $(SEED)

# SwiftPM keeps its plan of a package's files when files come or go in another one that it depends on by path.
bench: sqlite-headers
	@rm -f Benchmarks/.build/release.yaml
	$(SWIFT) run -c release --package-path Benchmarks bench run --json Benchmarks/results.json
	$(SWIFT) run -c release --package-path Benchmarks bench linear

# Linked without its debug information, which valgrind can't read.
COUNT_CALLS = $(SWIFT) run -c release -Xlinker --strip-debug --package-path Benchmarks bench counts --thresholds Benchmarks/thresholds.json

bench-counts bench-thresholds: sqlite-headers
	@rm -f Benchmarks/.build/release.yaml
	@command -v valgrind >/dev/null || scripts/install-package valgrind valgrind valgrind || true
	@if command -v valgrind >/dev/null; then $(COUNT_CALLS) $(if $(filter bench-thresholds,$@),--write); \
	else echo "make $@: valgrind is missing, so nothing was counted"; fi

compile-time: sqlite-headers
	$(SWIFT) build
	scripts/compile-time

# With the modules of any debug build: what make test built is not built again.
docs: sqlite-headers
	@[ -e .build/debug/Modules/OpenCoreDataTestSupport.swiftmodule ] || $(SWIFT) build --target OpenCoreDataTestSupport
	@scripts/reference

# With the modules of any debug build, too.
api api-check: sqlite-headers
	@[ -e .build/debug/Modules/OpenCoreDataTestSupport.swiftmodule ] || $(SWIFT) build --target OpenCoreDataTestSupport
	@scripts/public-interface $(if $(filter api-check,$@),--check)

format:
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	@scripts/flows
	@scripts/named-files
	@! LC_ALL=C.UTF-8 grep -rnP --include='*.swift' '^(?=\s*//).{131}' $(WRAPPED) \
	|| { echo "make lint: these comments have more than 130 columns"; exit 1; }
	@echo "make lint: nothing to say"

coverage-of-semantics:
	@scripts/coverage-of-semantics $(if $(OPEN),--open)

sqlite-headers:
	@scripts/install-sqlite-headers
