# `make` alone lists the targets. Needs Python 3.11 and make; `make check` and `make test` also Go,
# `make check` also npm, for buf, `make test FULL=1` also the compilers of the clients and templates, and root with buildah and
# mmdebstrap for the image.
.DEFAULT_GOAL := help
SHELL := /bin/sh

PYTHON ?= python3
# More for the command behind a target: make test ARGS="-k briscola", make run ARGS="--workers 2".
ARGS ?=
# The key of the game, or keys, whose files `make generated` writes.
GAME ?=
# Where `make run` keeps its matches: in the folder that the environment names for the service, if it does.
DATA ?= $(or $(CHITARRELLA_DATA),./data)
# Test processes at once: more than two processors, because many tests wait for a service, a store or a browser.
JOBS ?= 5

BIN := .venv/bin
BUF := clients/node_modules/.bin/buf
# The contract as the clients in use know it. It is compared as an image with an image: buf takes `proto` for two modules,
# because of the copies of what the contract imports, and does not compare two with one.
RELEASED := proto/released/v1.binpb.gz
IMAGE := $(BUF) build proto --path proto/chitarrella
# Stamps of .venv: what the service needs to run is installed; what all other targets need is installed.
RUNTIME := .venv/.runtime
# Compiled translations, which git does not keep; installing the project compiles them too.
LOCALE := service/chitarrella/i18n/locale
TRANSLATIONS := $(patsubst %.po,%.mo,$(wildcard $(LOCALE)/*.po))
# The synchronous Python client, made from the other one; installing it makes it too.
AIO := clients/python/src/chitarrella_client/aio
SYNC := clients/python/src/chitarrella_client/sync/client.py
# The code of the contract for Python, which the installation generates too.
CONTRACT := service/chitarrella/v1/__init__.py
INSTALLED := .venv/.installed $(TRANSLATIONS) $(CONTRACT) $(SYNC)

# All without slash and dot.
.PHONY: $(shell grep -oE '^[a-z-]+:' Makefile | tr -d :)

help: ## List the targets.
	@echo 'Usage: make TARGET [ARGS="..."]'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-13s %s\n", $$1, $$2 }'
	@echo
	@echo 'Without make, once:'
	@echo '  python3 -m venv .venv'
	@echo '  .venv/bin/pip install --require-hashes -r requirements.lock'
	@echo '  .venv/bin/pip install --no-deps --no-build-isolation -e . -e cards -e clients/python -e clients/mcp -e kit -e terminal -e lab'
	@echo '  npm ci --ignore-scripts --prefix clients     # for buf and the scripts for browsers'
	@echo 'and then:'
	@echo '  run    CHITARRELLA_DATA=./data .venv/bin/chitarrella serve'
	@echo '  test   .venv/bin/pytest -n 2'
	@echo '  check  .venv/bin/ruff format --check; .venv/bin/ruff check; .venv/bin/mypy'
	@echo '         .venv/bin/python -m chitarrella_testing.extract --check'
	@echo '         .venv/bin/python proto/generate.py --check; go -C clients/go/tools run ./generate -check'
	@echo '         $(BUF) lint proto; $(BUF) format --diff --exit-code proto'
	@echo '         $(IMAGE) -o - | \'
	@echo '             $(BUF) breaking - --against $(RELEASED) --config proto/buf.yaml --exclude-imports'
	@echo '         node clients/typescript/scripts/web.mjs --check'
	@echo '         .venv/bin/hadolint Dockerfile'
	@echo '         .venv/bin/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml'
	@echo '         .venv/bin/python -m tests.deploy.manifests   # needs Go, once'
	@echo '         .venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/ci.yml'
	@echo '  fmt    .venv/bin/ruff format; .venv/bin/ruff check --fix; $(BUF) format -w proto'
	@echo '  locale .venv/bin/python -m chitarrella_testing.extract; .venv/bin/python hatch_build.py'
	@echo '  soak   .venv/bin/python -m lab.soak.run --deals 10000'
	@echo '         .venv/bin/python -m tests.vectors.write --check'
	@echo '  differential'
	@echo '         .venv/bin/python -m lab.differential.run'
	@echo '  vectors .venv/bin/python -m tests.vectors.write'
	@echo '  mutants .venv/bin/pip install --require-hashes --no-build-isolation -r lab/mutants/requirements.txt'
	@echo '         .venv/bin/python -m lab.mutants.run'
	@echo '  fuzz   .venv/bin/pip install --require-hashes --no-build-isolation -r lab/fuzz/requirements.txt'
	@echo '         .venv/bin/python -m lab.fuzz.run'
	@echo '  chaos  .venv/bin/python -m lab.chaos.run       # with Go, which checks the histories'
	@echo '  bench  .venv/bin/pip install --require-hashes --no-build-isolation -r lab/bench/requirements.txt'
	@echo '         .venv/bin/python -m lab.bench.run'

install: $(INSTALLED) ## Make .venv with everything the other targets need (they do it themselves).

# $(call venv,LOCKS,FOLDERS): create .venv, install the lock files, and our packages in these folders as editable installs.
# uv is used if it is on the PATH, because it is faster; else the pip of .venv, or that of Python, or a new one in .venv:
# giving .venv a pip of its own takes as long as half of the packages. --no-build-isolation: the build backend is in the
# locks too, so that no step resolves anything. compileall uses all processors, as pip does not; without it, every start
# compiles again where PYTHONDONTWRITEBYTECODE is set. Some package may hold a file that is not for this Python.
define venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or newer is needed; name it by make PYTHON=...' >&2; exit 1; }
	@[ -x $(BIN)/python ] || { echo 'Creating .venv ...'; $(PYTHON) -m venv --without-pip .venv; }
	@if command -v uv >/dev/null; then pip='uv pip install -q --python $(BIN)/python'; \
	elif [ -x $(BIN)/pip ]; then pip='$(BIN)/pip install -q --no-compile'; \
	elif $(PYTHON) -c 'import pip, sys; sys.exit(int(pip.__version__.split(".")[0]) < 23)' 2>/dev/null; then \
		pip='$(PYTHON) -m pip --python $(BIN)/python install -q --no-compile'; \
	else $(ENSUREPIP); pip='$(BIN)/pip install -q --no-compile'; fi; \
	set -e; \
	echo 'Installing packages into .venv: $(1) ...'; \
	$$pip --require-hashes $(addprefix -r ,$(1)); \
	echo 'Installing our own packages into .venv ...'; \
	$$pip --no-deps --no-build-isolation $(addprefix -e ,$(2)); \
	$(BIN)/python -m compileall -qq -j 0 .venv/lib service clients/python/src || true
endef
ENSUREPIP := $(BIN)/python -m ensurepip --default-pip >/dev/null 2>&1 \
	|| { echo 'Python has no pip; on Debian: apt-get install python3-venv' >&2; exit 1; }

.venv/.installed: requirements.lock deploy/requirements.lock deploy/build.lock terminal/requirements.lock pyproject.toml hatch_build.py $(addsuffix /pyproject.toml,cards clients/python clients/mcp kit terminal lab)
	$(call venv,requirements.lock,. cards clients/python clients/mcp kit terminal lab)
	@[ -x $(BIN)/pip ] || $(ENSUREPIP)
	@touch $(RUNTIME) $@

# The lock files of the image and of the commands for a terminal, which requirements.lock names too. `make install` adds the
# rest to this .venv.
$(RUNTIME): deploy/requirements.lock deploy/build.lock terminal/requirements.lock pyproject.toml hatch_build.py $(addsuffix /pyproject.toml,cards clients/python terminal)
	$(call venv,deploy/requirements.lock deploy/build.lock terminal/requirements.lock,. cards clients/python terminal)
	@touch $@

# For a translation that has changed since: the first installation, which compiles all, is still to come without a stamp.
$(LOCALE)/%.mo: $(LOCALE)/%.po
	@[ ! -e $(RUNTIME) ] || $(BIN)/python hatch_build.py
	@[ ! -e $@ ] || touch $@

$(CONTRACT): proto/generate.py $(wildcard proto/chitarrella/*/*.proto proto/chitarrella/*/*/*.proto)
	@[ ! -e $(RUNTIME) ] || $(BIN)/python proto/generate.py
	@[ ! -e $@ ] || touch $@

$(SYNC): clients/python/generate_sync.py $(wildcard $(AIO)/*.py)
	@[ ! -e $(RUNTIME) ] || $(BIN)/python clients/python/generate_sync.py
	@[ ! -e $@ ] || touch $@

run: $(RUNTIME) $(TRANSLATIONS) $(CONTRACT) $(SYNC) ## Serve the games, keeping matches in DATA (default $CHITARRELLA_DATA, else ./data).
	@echo 'Starting the service; Ctrl-C stops it ...'
	@CHITARRELLA_DATA='$(DATA)' $(BIN)/chitarrella serve $(ARGS)

# pytest's arguments that measure the rules: which test came through which line, and how long it took, is kept for
# `mutants`. Tests that are not marked `measured` (tests/conftest.py) run as fast as without.
MEASURING := --cov -p lab.mutants.measured
REPORT := build/tests.xml
# The checks of packages that take a minute or less: all registries but Maven's, and what only Python's packages promise.
QUICK_PYTHON := python-registry python-lowest python-serve
QUICK_OTHERS := typescript-registry go-registry kubernetes
# FULL=1 tries always the same sixty mutants; none may survive that lab/mutants/survivors.txt does not excuse.
test: $(INSTALLED) ## Run the tests; none is skipped without a known reason (FULL=1: all that must pass before a change lands).
	@mkdir -p build
	$(MAKE) --no-print-directory $(if $(FULL),-j2 full-image) pytest
ifdef FULL
	$(MAKE) -j2 full-rules full-clients
endif

pytest:
	$(BIN)/pytest -n $(JOBS) --dist worksteal -rs --junitxml=$(REPORT) $(if $(FULL),$(MEASURING)) $(ARGS)
	$(BIN)/python .ci/skips.py $(REPORT)

# What a full test does beside the tests. The image and Python's packages wait for what they install, as many tests wait;
# the compilers of clients seldom use two processors. The other packages take what the clients have built. Of the vectors it
# makes a part, of the templates one, at each commit another; `make soak`, `make test-clients` and `make release` make all.
full-rules:
	$(MAKE) vectors ARGS="--check --every 24"
	$(MAKE) mutants ARGS="--sample 60 --seed 1 --all-listed"

full-clients:
	$(MAKE) test-clients ARGS=--sample
	$(MAKE) release-check ARGS="$(QUICK_OTHERS)"
	$(MAKE) examples ARGS=

full-image:
	$(MAKE) image-check ARGS=
	$(MAKE) release-check ARGS="$(QUICK_PYTHON)"

coverage: $(INSTALLED) ## Measure the lines and branches of the rules that the tests come through: all of them.
	$(BIN)/pytest -q -n $(JOBS) $(MEASURING) --timeout=600 -m measured $(ARGS)

# A test may not depend on those before it, nor on how busy the machine is: make test-random SEED=7.
SEED ?= 1
test-random: $(INSTALLED) ## Run the tests in a random order, which SEED chooses.
	$(BIN)/pytest -n $(JOBS) --random-order-bucket=global --random-order-seed=$(SEED) $(ARGS)

mutants: $(INSTALLED) ## Break the rules in every small way, and see whether the tests notice (hours; ARGS="--sample 200").
	$(BIN)/pip install -q --require-hashes --no-build-isolation -r lab/mutants/requirements.txt
	[ -e build/coverage/times.json ] || $(MAKE) coverage ARGS=
	$(BIN)/python -m lab.mutants.run $(ARGS)

fuzz: $(INSTALLED) ## Fuzz the parsers; save interesting inputs (ARGS="--minutes 5").
	$(BIN)/pip install -q --require-hashes --no-build-isolation -r lab/fuzz/requirements.txt
	$(BIN)/python -m lab.fuzz.run $(ARGS)

# Without ARGS also what runs the service elsewhere: the manifests of Kubernetes are valid, the image is built and asked.
chaos: BEGUN := $(shell date +%s)
chaos: $(INSTALLED) ## Kill, cut and attack the service for some minutes (ARGS="--only kills --minutes 2"; ARGS=--help).
	$(BIN)/python -m lab.chaos.run $(ARGS)
ifeq ($(strip $(ARGS)),)
	$(BIN)/python -m tests.deploy.manifests
	$(MAKE) image-check
endif
	@echo "make chaos took $$(( ($$(date +%s) - $(BEGUN) + 59) / 60 )) minutes in all."

check: $(INSTALLED) ## Check format, types, translations, the contract, generated code and deployment files.
	$(MAKE) -j2 -O check-python check-proto check-deploy check-web weight

check-python: $(INSTALLED)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/python -m chitarrella_testing.extract --check

check-proto: $(INSTALLED) clients/node_modules
	$(BIN)/python proto/generate.py --check
	go -C clients/go/tools run ./generate -check
	$(BUF) lint proto
	$(BUF) format --diff --exit-code proto
	@[ -s $(RELEASED) ] || { echo '$(RELEASED) is missing: git has it; make released writes a new one' >&2; exit 1; }
	$(IMAGE) -o - | $(BUF) breaking - --against $(RELEASED) --config proto/buf.yaml --exclude-imports

check-deploy: $(INSTALLED)
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml
	$(BIN)/python -m tests.deploy.manifests
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/ci.yml
	$(BIN)/check-jsonschema --builtin-schema custom.github-workflows-require-timeout .github/workflows/ci.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))

# What the service serves to browsers is committed as it is built from clients/typescript/web.
check-web: clients/node_modules
	node clients/typescript/scripts/web.mjs --check

# Debian's packages stand in for the base image, so that no image registry is needed.
image-check: $(INSTALLED) ## Build the image, run it read-only, ask and stop it (root; Debian's buildah and mmdebstrap).
	$(BIN)/python -m tests.deploy.image $(ARGS)

# --ignore-scripts: the binary comes in a package of its own, and nothing of a package need run to install it.
# In package-lock.json a package is a line, without engines, funding and licences. The binaries for Linux have their hash, the others
# only their exact version: where the lock was made, the registry had no others, and npm ci wants all of them named.
clients/node_modules: clients/package-lock.json
	@command -v npm >/dev/null || { echo 'npm is needed: install Node.js 20 or newer, with npm' >&2; exit 1; }
	npm ci --ignore-scripts --no-audit --no-fund --prefix clients
	@touch $@

fmt: $(INSTALLED) clients/node_modules ## Put the code and the contract into their format.
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BUF) format -w proto

released: $(INSTALLED) clients/node_modules ## Write down contract and playthroughs as released: then what breaks them is refused.
	@mkdir -p $(dir $(RELEASED))
	$(IMAGE) --exclude-source-info --type chitarrella.v1 --type chitarrella.admin.v1 -o - | gzip -9n >$(RELEASED)
	$(BIN)/python -m tests.vectors.write --released

locale: $(INSTALLED) ## Bring the translations up to the rules; what is then fuzzy or empty waits for a translator.
	$(BIN)/python -m chitarrella_testing.extract
	$(BIN)/python hatch_build.py

bench: $(INSTALLED) ## Measure speed beside other engines and servers: under twenty minutes (ARGS=--quick; ARGS="--only calls").
	$(BIN)/pip install -q --require-hashes --no-build-isolation -r lab/bench/requirements.txt
	$(BIN)/python -m lab.bench.run $(ARGS)

clients: $(INSTALLED) clients/node_modules ## Generate the code of the contract for Go, and what browsers load.
	go -C clients/go/tools run ./generate
	npm run --silent web --prefix clients/typescript

test-clients: $(INSTALLED) ## Build every client and template; clients play the same scenarios, templates a match (ARGS="go rust": only these).
	$(BIN)/python -m clients.conformance.run $(ARGS)

rules-js: $(INSTALLED) ## Build the npm package of the rules, play it in Node and Chromium, print its size and start time.
	$(BIN)/python -m clients.conformance.run rules-node rules-browser
	@grep -h '^rules:' build/clients/rules-node.log build/clients/rules-browser.log

EXAMPLES := lobby telegram-bot validator terminal-kotlin
examples: $(INSTALLED) ## Build the examples, and play with each against a live service (ARGS="lobby": only this one).
	$(BIN)/pytest -q --timeout=1200 $(addprefix examples/,$(or $(ARGS),$(EXAMPLES)))

game-packages: $(INSTALLED) ## Install the games of examples/ as packages, and play them over everything there is.
	$(BIN)/pytest -q -n $(JOBS) tests/game_packages tests/games/test_catalogue.py $(ARGS)
	$(BIN)/pytest -q tests/web/test_table.py -k packages $(ARGS)

pictures: $(INSTALLED) ## Picture every game in build/web/pictures (ARGS="-k cucu" WINDOW=desktop).
	$(BIN)/pytest -sv tests/web/pictures.py $(ARGS)

release: $(INSTALLED) ## Build everything that would be published, into build/release (ARGS="python npm": only these).
	$(BIN)/python -m clients.release.build $(ARGS)

release-check: $(INSTALLED) ## Build the packages, check each as its registry would, install and play it (ARGS="go python").
	$(BIN)/python -m clients.release.run $(ARGS)

weight: $(INSTALLED) ## Hold the weight of the tree to its budgets: lines, modules, files, and what one move passes.
	@$(BIN)/python -m lab.weight --check

evidence: $(INSTALLED) ## Count what shows that the rules are right; write the figures into the pages.
	$(BIN)/python -m lab.evidence.figures

strength: $(INSTALLED) ## Let the bots play each other, for the page of proofs (hours; it goes on where it stopped; ARGS="--deals 40").
	$(BIN)/python -m lab.evidence.strength $(ARGS)

vectors: $(INSTALLED) ## Write all vectors for other engines to build/vectors (ARGS=--check: compare their digests; ARGS=--keep: keep them).
	$(BIN)/python -m tests.vectors.write $(ARGS)

generated: $(INSTALLED) ## Write everything that is generated for games: vectors, digests, figures (GAME=briscola; all games without).
	$(BIN)/python -m tests.vectors.write --keep $(GAME)
	$(BIN)/python -m lab.differential.run --write
	$(BIN)/python -m clients.conformance.write --keep
	$(BIN)/python -m lab.evidence.figures

soak: $(INSTALLED) ## Hold ten thousand deals of every rule set against every law, and compare all vectors (hours).
	$(BIN)/python -m lab.soak.run $(ARGS)
	CHITARRELLA_DEALS=1000 $(BIN)/pytest -q -n $(JOBS) --timeout=0 tests/properties/test_hostile.py
	$(BIN)/python -m tests.vectors.write --check

# Names those of our own packages that the extras bring, under a condition that no Python meets.
OURS := build/ours.txt
# No header: it would repeat the commands that stand here. With extras, because pip refuses `coverage[toml]` for want of a
# hash once there is a newer release of what is pinned without them. Our own packages are installed from the tree.
LOCK := uv pip compile --quiet --universal --generate-hashes --no-strip-extras --no-header --no-annotate --no-emit-package chitarrella --override $(OURS) $(ARGS)
EXTRAS := --extra server --extra embedded --extra s3 --extra otel
# Everything at once: the committed locks are parts of it, so that no package stands in two of those that are installed
# together.
WHOLE := build/requirements.lock
# $(call without,LOCKS): the options that leave out what is in these locks.
without = $$(sed -n 's/^\([a-z0-9._-]*\)[^ ]*==.*/--no-emit-package \1/p' $(1))
lock: ## Resolve the lock files anew (needs uv; ARGS=--upgrade for new releases).
	@mkdir -p build
	echo "chitarrella-cards; python_version < '3'" >$(OURS)
	cat requirements.lock deploy/requirements.lock deploy/build.lock terminal/requirements.lock | grep -v '^-r' >$(WHOLE)
	$(LOCK) pyproject.toml $(EXTRAS) --group dev -o $(WHOLE) >/dev/null
	$(LOCK) pyproject.toml $(EXTRAS) --constraint $(WHOLE) -o deploy/requirements.lock >/dev/null
	printf 'hatchling\nbabel\ngrpcio-tools\nmypy-protobuf\n' | $(LOCK) - --constraint $(WHOLE) -o deploy/build.lock >/dev/null
	$(LOCK) --group sbom --constraint $(WHOLE) -o deploy/sbom.lock >/dev/null
	echo rich | $(LOCK) - --constraint $(WHOLE) $(call without,deploy/requirements.lock) -o terminal/requirements.lock >/dev/null
	printf -- '-r %s\n' deploy/requirements.lock deploy/build.lock terminal/requirements.lock >requirements.lock
	$(LOCK) pyproject.toml $(EXTRAS) --group dev --constraint $(WHOLE) \
		$(call without,deploy/requirements.lock deploy/build.lock terminal/requirements.lock) >>requirements.lock
	for group in bench mutants fuzz; do \
		$(LOCK) --group $$group --constraint $(WHOLE) $(call without,$(WHOLE)) -o lab/$$group/requirements.txt >/dev/null || exit; \
	done
	$(PYTHON) .ci/lock_hashes.py requirements.lock deploy/*.lock terminal/*.lock lab/*/requirements.txt

differential: $(INSTALLED) ## Play random deals again, and compare all with its digests (an hour; ARGS="--sample 9").
	$(BIN)/python -m lab.differential.run $(ARGS)

clean: ## Remove all that the other targets made, except DATA.
	rm -rf $(LOCALE)/*.mo $(dir $(CONTRACT))
	find clients/python/src/chitarrella_client/sync -name '*.py' ! -name transport.py -delete
	rm -rf .venv clients/node_modules lab/bench/boardgame/node_modules build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
