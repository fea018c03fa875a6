package=python-compiled
. "$APPLICATION/../python/registry.sh"

step install
"$PYTHON" -m venv venv
venv/bin/pip install "$(echo "$RELEASE"/python-compiled/chitarrella-*.whl)[server]"
venv/bin/pip check
venv/bin/chitarrella --version | grep 'compiled rules'

step test
venv/bin/chitarrella perft --check "$ROOT/tests/vectors/perft"

# Games of other packages derive their classes from compiled ones.
step play
venv/bin/pip install --no-deps "$ROOT/examples/tressette" "$ROOT/examples/scopa"
for game in briscola cucu tressette scopa; do
    venv/bin/chitarrella simulate "$game" -n 20 --seed 1
done
