# `make` alone says what there is.  Needs Python 3.11 and make; `make check` also npm, for buf.
.DEFAULT_GOAL := help
SHELL := /bin/sh

PYTHON ?= python3
# More for the command behind a target: make test ARGS="-k briscola", make run ARGS="--workers 2".
ARGS ?=
# Where `make run` keeps its matches.
DATA ?= ./data
# Test processes at once.
JOBS ?= 2

BIN := .venv/bin
BUF := proto/node_modules/.bin/buf
INSTALLED := .venv/.installed

.PHONY: help install run test clients test-clients coverage mutants fuzz proofs check check-python check-proto check-deploy fmt bench
.PHONY: soak proto locale lock clean

help: ## Say what there is.
	@echo 'Usage: make TARGET [ARGS="..."]'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'
	@echo
	@echo 'Without make, once:'
	@echo '  python3 -m venv .venv'
	@echo '  .venv/bin/pip install --require-hashes -r requirements.lock'
	@echo '  .venv/bin/pip install --no-deps --no-build-isolation -e . -e clients/python'
	@echo '  npm ci --ignore-scripts --prefix proto       # only for the buf commands below'
	@echo 'and then:'
	@echo '  run    CHITARRELLA_DATA=./data .venv/bin/chitarrella serve'
	@echo '  test   .venv/bin/pytest -n 2'
	@echo '  check  .venv/bin/ruff format --check; .venv/bin/ruff check; .venv/bin/mypy'
	@echo '         .venv/bin/python -m chitarrella.messages --check'
	@echo '         .venv/bin/python proto/generate.py --check; .venv/bin/python clients/python/faces.py --check'
	@echo '         $(BUF) lint proto; $(BUF) format --diff --exit-code proto'
	@echo '         $(BUF) breaking proto --against ".git#tag=TAG,subdir=proto"'
	@echo '         .venv/bin/hadolint Dockerfile'
	@echo '         .venv/bin/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml'
	@echo '  fmt    .venv/bin/ruff format; .venv/bin/ruff check --fix; $(BUF) format -w proto'
	@echo '  proto  .venv/bin/python proto/generate.py'
	@echo '  locale .venv/bin/python -m chitarrella.messages'
	@echo '  soak   .venv/bin/python -m tests.laws.soak --deals 10000'
	@echo '  mutants .venv/bin/pip install --require-hashes --no-build-isolation -r tests/mutants/requirements.txt'
	@echo '         .venv/bin/python -m tests.mutants.run'
	@echo '  fuzz   .venv/bin/pip install --require-hashes --no-build-isolation -r tests/fuzz/requirements.txt'
	@echo '         .venv/bin/python -m tests.fuzz.run'
	@echo '  bench  .venv/bin/pip install --require-hashes --no-build-isolation -r tests/bench/requirements.txt'
	@echo '         .venv/bin/python -m tests.bench.run'

install: $(INSTALLED) ## Make .venv with everything the other targets need (they do it themselves).

# uv where it is on the PATH, because it is faster; else what Python brings along.
# --no-build-isolation: the build backend is in the lock like everything else, so that no step resolves anything.
$(INSTALLED): requirements.lock pyproject.toml clients/python/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or newer is needed; name it by make PYTHON=...' >&2; exit 1; }
	@[ -x $(BIN)/pip ] || $(PYTHON) -m venv .venv \
		|| { echo 'Python cannot make a venv; on Debian: apt-get install python3-venv' >&2; exit 1; }
	@if command -v uv >/dev/null; then pip='uv pip install -q --python $(BIN)/python'; else pip='$(BIN)/pip install -q'; fi; \
	set -ex; \
	$$pip --require-hashes -r requirements.lock; \
	$$pip --no-deps --no-build-isolation -e . -e clients/python
	@touch $@

run: $(INSTALLED) ## Serve the games, keeping matches in DATA (default ./data).
	CHITARRELLA_DATA='$(DATA)' $(BIN)/chitarrella serve $(ARGS)

test: $(INSTALLED) ## Run the tests.
	$(BIN)/pytest -n $(JOBS) $(ARGS)

# The cheapest choice of tests that comes through every line and branch; what counts whole trees or plays whole tables
# again takes minutes under measurement, and comes through nothing that the others do not.
MEASURED := tests/games tests/playthroughs tests/records tests/refusals tests/spoilt tests/vectors tests/views tests/perft tests/commands/test_story.py \
	tests/house/test_tongues.py tests/laws/test_hostile.py tests/laws/test_laws.py
SPOILT := briscola-4 or brisca-4 or coteccio-3 or schneider or elfern or harjan or hundredogen or madrasso or zifuli-5 \
	or coech-4 or trionfo-4 or cucu-4 or lu-stu-4 or guyana-4 or chiamata or brusquembille-2
UNMEASURED := test_rulebook or lu_stu_counted or plainly or a_playthrough_reads_back or shows_what_it or counts_are_what \
	or every_option or is_the_sum and (cucu-3 or next) \
	or (keeps_the_law or every_event or test_hostile) and not ($(SPOILT)) or keeps_the_law and not imagination \
	or spoilt_position or spoilt_record
# Which test came through which line, and how long it took, is kept for `mutants`.
coverage: $(INSTALLED) ## Measure the lines and branches of the rules that the tests come through: all of them.
	$(BIN)/pytest -q -n $(JOBS) -p tests.mutants.timing --cov --cov-context=test --timeout=600 \
		-k 'not ($(UNMEASURED))' $(MEASURED) $(ARGS)

mutants: $(INSTALLED) ## Break the rules in every small way, and see whether the tests notice (hours; ARGS="--sample 200").
	$(BIN)/pip install -q --require-hashes --no-build-isolation -r tests/mutants/requirements.txt
	[ -e build/coverage/times.json ] || $(MAKE) coverage ARGS=
	$(BIN)/python -m tests.mutants.run $(ARGS)

fuzz: $(INSTALLED) ## Look for bytes that nobody foresaw (ARGS="--minutes 5"); what is remarkable is kept.
	$(BIN)/pip install -q --require-hashes --no-build-isolation -r tests/fuzz/requirements.txt
	$(BIN)/python -m tests.fuzz.run $(ARGS)

check: check-python check-proto check-deploy ## Check format, types, translations, the contract, generated code and deployment files.

check-python: $(INSTALLED)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/python -m chitarrella.messages --check

check-proto: $(INSTALLED) proto/node_modules
	$(BIN)/python proto/generate.py --check
	$(BIN)/python clients/python/faces.py --check
	$(BUF) lint proto
	$(BUF) format --diff --exit-code proto
	@tag=$$(git describe --tags --match 'v*' --abbrev=0 2>/dev/null); \
	if [ -z "$$tag" ]; then echo 'buf breaking: no release yet'; else \
	set -x; $(BUF) breaking proto --against ".git#tag=$$tag,subdir=proto"; fi

check-deploy: $(INSTALLED)
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml

# --ignore-scripts: the binary comes in a package of its own, and nothing of a package need run to install it.
# In package-lock.json the binaries for Linux have their hash, the others only their exact version: where the lock was
# made, the registry had no others, and npm ci wants all of them named.
proto/node_modules: proto/package-lock.json
	@command -v npm >/dev/null \
		|| { echo 'npm is needed for buf, which checks the contract: install Node.js 20 or newer, with npm' >&2; exit 1; }
	npm ci --ignore-scripts --no-audit --no-fund --prefix proto
	@touch $@

fmt: $(INSTALLED) proto/node_modules ## Put the code and the contract into their format.
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BUF) format -w proto

proto: $(INSTALLED) ## Generate the Python code of the contract.
	$(BIN)/python proto/generate.py

locale: $(INSTALLED) ## Bring the translations up to the rules; what is then fuzzy or empty waits for a translator.
	$(BIN)/python -m chitarrella.messages

bench: $(INSTALLED) ## Measure, beside other engines.
	$(BIN)/pip install -q --require-hashes --no-build-isolation -r tests/bench/requirements.txt
	$(BIN)/python -m tests.bench.run $(ARGS)

clients: $(INSTALLED) proto/node_modules ## Generate the code of the contract in every client that keeps it.
	$(BIN)/python proto/generate.py
	$(BIN)/python clients/python/faces.py
	cd clients/go && go -C tools run ./generate
	cd clients/typescript && npm ci --ignore-scripts --no-audit --no-fund && npm run generate
	cd proto && node_modules/.bin/buf generate --template ../clients/rust/buf.gen.yaml -o ../clients/rust
	$(BIN)/python clients/csharp/generate.py

test-clients: $(INSTALLED) ## Build every client, and let each play the same scenarios (ARGS="go rust": only these).
	$(BIN)/python -m clients.conformance.run $(ARGS)

proofs: $(INSTALLED) ## Print what shows that the rules are right, each figure with its command.
	$(BIN)/python -m tests.proofs.figures

soak: $(INSTALLED) ## Hold ten thousand deals of every rule set against every law (hours; goes on where it stopped).
	$(BIN)/python -m tests.laws.soak $(ARGS)

# No header: it would repeat the commands that stand here.
LOCK := uv pip compile --quiet --universal --generate-hashes --no-header $(ARGS)
lock: ## Resolve the lock files anew (needs uv; ARGS=--upgrade for new releases).
	$(LOCK) pyproject.toml --extra server --extra embedded --extra dev -o requirements.lock >/dev/null
	$(LOCK) pyproject.toml --extra server --extra embedded --constraint requirements.lock -o deploy/requirements.lock >/dev/null
	echo hatchling | $(LOCK) - --constraint requirements.lock -o deploy/build.lock >/dev/null
	$(LOCK) pyproject.toml --extra bench --constraint requirements.lock -o tests/bench/requirements.txt >/dev/null
	$(LOCK) pyproject.toml --extra mutants --constraint requirements.lock -o tests/mutants/requirements.txt >/dev/null
	$(LOCK) pyproject.toml --extra fuzz --constraint requirements.lock -o tests/fuzz/requirements.txt >/dev/null

clean: ## Remove all that the other targets made, except DATA.
	rm -rf .venv proto/node_modules build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
