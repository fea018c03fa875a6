# The paths are those of the repository, so that the pages still link each other. Of the programs only `plain.py` is here,
# an engine with nothing of ours.
build() {
    cd "$ROOT"
    "$PYTHON" -m tests.vectors.write --archive "$PACKAGES/chitarrella-vectors-$VERSION.tar.gz"
}

check() {
    step install
    tar -xzf "$RELEASE"/vectors/*.tar.gz
    "$PYTHON" -m venv venv

    step test
    # Another engine, in an environment without any package; then the published one, which counts all.
    venv/bin/python main.py chitarrella-vectors-*/tests/vectors
    venv/bin/pip install --quiet "$RELEASE"/python/chitarrella-*.whl "$RELEASE"/python/chitarrella_testing-*.whl \
        "$RELEASE"/python/chitarrella_lab-*.whl
    venv/bin/chitarrella perft --check chitarrella-vectors-*/tests/vectors/perft
}
