# Everything needs Go alone; what else a test needs it skips, or scripts/ensure-packages.sh installs.

GO        ?= go
TOOL      := $(GO) tool -modfile=tools/checkers.mod
TESTFLAGS ?=
# How long the tests of one package may take: enough for a machine that does other things as well.
TIMEOUT   ?= 60m
FUZZTIME  ?= 5s
# The machine file that describes this machine, for the times of docs/accuracy/time.md.
MACHINE   ?= emerald-rapids-vm
BENCH     ?= .
# The sections of docs/reliability.md to try, such as kill,faults; the others stay as they are. Empty: all.
ONLY      ?=
# A folder of further measured applications, for the tables of scaling; empty: those that are carried.
SERIES    ?=

# Packages with concurrency, for the race detector (which needs gcc): RACE_PACKAGES=./predict/...
RACE_PACKAGES ?= ./model/reuse/... ./model/threads ./predict/... ./application/recording ./application/trace
RACE_TESTS    ?= Parallel|Paired|Workers|OfTrace|Interrupted|Fan|Ahead|SideBySide

# Tests that look at the machine they run on, run again with other caches: all of machine, and those of the command that name no machine.
HOST_TESTS    ?= ^TestVerbsByInputs$$|^TestMeasureLeavesOut$$|^TestInputsDocument$$|^TestScripts$$/^(host|machine|machines-wrong|serve|usage|wrong-values)$$

# foresee is pure Go: the same results and the same binary with and without a C compiler.
export CGO_ENABLED := 0
# Memory for time: compilers, checkers and tests collect garbage a third as often, and end a tenth sooner.
export GOGC := 300
# The same paths in the binary and in the tests: each package is compiled once for both.
export GOFLAGS := -trimpath

# Where git cannot read the clone (another owner, an archive), the binary goes without its revision.
VCS := $(if $(shell git rev-parse HEAD 2>/dev/null),,-buildvcs=false)

.DEFAULT_GOAL := help
.PHONY: help build test test-long packages race other-caches reliability check vet format house staticcheck deadcode vulnerabilities bench fuzz docs install site clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## bin/foresee, static
	$(GO) build $(VCS) -o bin/foresee ./cmd/foresee

test: packages ## what must hold at each change: build, check, tests, also with other caches (TESTFLAGS=-short)
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory check
	$(GO) test -vet=off -timeout $(TIMEOUT) $(TESTFLAGS) ./...
	@$(MAKE) --no-print-directory other-caches

test-long: test ## test; then the race detector, the tests that repeat others with more compilers, sizes and kernels, and a part of reliability
	@$(MAKE) --no-print-directory race
	FORESEE_LONG_TESTS=1 $(GO) test -vet=off -timeout $(TIMEOUT) $(TESTFLAGS) ./accuracy ./application/emulate ./application/record ./cmd/foresee ./predict
	@$(MAKE) --no-print-directory other-caches HOST_TESTS='^TestScripts$$$$/^measure$$$$'
	@$(MAKE) --no-print-directory reliability QUICK=1

other-caches: ## the tests that look at this machine, with the caches hidden, or shown where there are none (root)
	scripts/with-other-caches.sh $(GO) test -count=1 -vet=off -timeout $(TIMEOUT) $(TESTFLAGS) ./machine
	scripts/with-other-caches.sh $(GO) test -count=1 -vet=off -timeout $(TIMEOUT) -run '$(HOST_TESTS)' $(TESTFLAGS) ./cmd/foresee

reliability: ## docs/reliability.md: all that foresee must survive (root, hours), or ONLY=kill,faults; QUICK=1 tries a little in a minute
	$(GO) run $(VCS) ./scripts/reliability $(if $(QUICK),-quick -o /dev/null,-only '$(ONLY)' -o docs/reliability.md)

packages: ## install what some tests need (root), or name it
	@scripts/ensure-packages.sh gcc g++ valgrind clang make cmake eigen cimg armadillo chromium openmpi mpich gfortran rustc cargo meson rayon

race: ## the tests of RACE_PACKAGES under the race detector
ifneq ($(strip $(RACE_PACKAGES)),)
	@if command -v gcc >/dev/null; then \
		set -x; CGO_ENABLED=1 $(GO) test -race -vet=off -timeout $(TIMEOUT) -run '$(RACE_TESTS)' $(TESTFLAGS) $(RACE_PACKAGES); \
	else echo "race: skipped, needs gcc" >&2; fi
else
	@echo "race: RACE_PACKAGES is empty"
endif

check: vet format staticcheck deadcode house ## vet, gofumpt, staticcheck, deadcode and the house's own rules, without other tests

vet: ## go vet
	$(GO) vet ./...

format: ## fail if gofumpt would change a file (to fix: go tool -modfile=tools/checkers.mod gofumpt -w .)
	@files=$$($(TOOL) gofumpt -l .) || exit 1; \
	if [ -n "$$files" ]; then echo "not formatted (gofumpt -w):"; echo "$$files"; exit 1; fi

house: ## lengths of files, sizes of packages, words: what the house asks of its code
	$(GO) test -vet=off ./internal/house

staticcheck: ## staticcheck
	$(TOOL) staticcheck ./...

# Packages that only tests import are not looked at; internal/house knows them.
deadcode: ## fail on functions that no program reaches
	@programs=$$($(GO) list -f '{{if eq .Name "main"}}{{.ImportPath}}{{end}}' ./...) && dead=$$($(TOOL) deadcode $$programs) || exit 1; \
	if [ -n "$$dead" ]; then echo "no program calls these; delete them, or move them into the tests that do:"; echo "$$dead"; exit 1; fi

vulnerabilities: ## known vulnerabilities of the dependencies (needs the network)
	$(TOOL) govulncheck ./...

bench: build ## benchmarks of all packages, the table of the engines, then whole commands (BENCH=regexp, RUNS=5)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...
	bin/foresee validate engines
	scripts/bench-commands.sh bin/foresee

fuzz: ## every fuzz target for a few seconds (FUZZTIME=5s)
	scripts/fuzz.sh $(FUZZTIME)

docs: build ## generated documentation: schemas, docs/accuracy (half an hour; times need gcc and a quiet machine)
	$(GO) generate ./docs/...
	bin/foresee validate nextuse -o docs/accuracy/nextuse.md
	bin/foresee validate cache -o docs/accuracy/cache.md
	bin/foresee validate conflicts -o docs/accuracy/conflicts.md
	bin/foresee validate threads -o docs/accuracy/threads.md
	bin/foresee validate trace -o docs/accuracy/trace.md
	bin/foresee validate scaling $(if $(SERIES),--data $(SERIES)) -o docs/accuracy/scaling.md
	$(if $(SERIES),$(GO) run ./tools/tune -data $(SERIES) -steps 40 -left-out -o docs/accuracy/scaling.md)
	bin/foresee validate sampling -o docs/accuracy/sampling.md
	bin/foresee validate time --machine $(MACHINE) -o docs/accuracy/time.md
	bin/foresee validate core --machine $(MACHINE) -o docs/accuracy/core.md
	bin/foresee validate compiled --machine $(MACHINE) -o docs/accuracy/compiled.md
	bin/foresee validate programs --machine $(MACHINE) -o docs/accuracy/programs.md
	bin/foresee validate advise --machine zen4 -o docs/accuracy/advise.md
	bin/foresee validate compare -o docs/accuracy/compare.md
	bin/foresee validate readers -o docs/accuracy/readers.md
	bin/foresee validate replay -o docs/accuracy/replay.md
	$(GO) run ./scripts/pagepictures docs/images
	bin/foresee validate engines -o docs/performance.md
	bin/foresee validate speed -o docs/performance.md
	bin/foresee validate signatures -o docs/performance.md
	bin/foresee validate tracecost -o docs/performance.md

PREFIX ?= /usr/local

install: build ## bin/foresee, foresee-cc and the like, and its manual pages, under PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 bin/foresee $(DESTDIR)$(PREFIX)/bin/foresee
	for c in cc c++ fc rustc; do ln -sf foresee $(DESTDIR)$(PREFIX)/bin/foresee-$$c; done
	bin/foresee manual $(DESTDIR)$(PREFIX)/share/man/man1

site: ## the page of foresee serve as static files in site/, with WebAssembly
	$(GO) run ./scripts/site site

clean: ## remove what was built or fetched
	rm -rf bin site .cache coverage.out
