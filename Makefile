# The commands of this project. `make` alone lists them.

GO         ?= go
GOFMT       = $$($(GO) env GOROOT)/bin/gofmt
STATICCHECK = $(GO) tool -modfile=tools/go.mod staticcheck
FUZZTIME   ?= 20s

# The folders that have scripts and their wrappers.
PROJECTS = . lock $(patsubst %/lua,%,$(wildcard examples/*/lua))

.DEFAULT_GOAL := help

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## generate, list and lint the lock's scripts, then sell out a stock with the example
	$(GO) run ./cmd/luagen generate
	$(GO) run ./cmd/luagen list
	$(GO) run ./cmd/luagen lint
	$(GO) run ./examples/flashsale

.PHONY: test
test: ## run all tests
	$(GO) test ./...

.PHONY: race
race: ## run all tests under the race detector
	$(GO) test -race ./...

.PHONY: check
check: ## gofmt, vet, staticcheck, and generated code that is current
	@unformatted=$$($(GOFMT) -l $$(find . -name '*.go' -not -path '*/testdata/*')); \
	if [ -n "$$unformatted" ]; then echo "gofmt is needed for:" $$unformatted; exit 1; fi
	$(GO) vet ./...
	$(STATICCHECK) ./...
	$(GO) run ./cmd/luagen generate --check $(PROJECTS)

.PHONY: generate
generate: ## write the wrappers of lua/ and the examples anew
	$(GO) run ./cmd/luagen generate $(PROJECTS)

.PHONY: bench
bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: score
score: ## how much of what scripts with known signatures mean is inferred
	$(GO) test ./internal/analysis -run '^TestScore$$' -count=1 -v

.PHONY: conformance
conformance: ## how many of the scripts recorded on redis-server the engine answers alike
	@out=$$($(GO) test ./internal/engine -run '^TestConformance$$' -count=1 -v); status=$$?; \
	echo "$$out" | grep -vE '^ *(=== RUN|--- PASS)'; exit $$status

.PHONY: fuzz
fuzz: ## fuzz each target for FUZZTIME (20s)
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done
