step install
tar -xzf "$RELEASE"/vectors/*.tar.gz
"$PYTHON" -m venv venv

step test
# Another engine, in an environment without any package; then the published one, which counts all.
venv/bin/python main.py chitarrella-vectors-*/tests/vectors
venv/bin/pip install --quiet "$(echo "$RELEASE"/python/chitarrella-*-py3-none-any.whl)[server]" "$RELEASE"/python/chitarrella_lab-*.whl
venv/bin/chitarrella perft --check chitarrella-vectors-*/tests/vectors/perft
