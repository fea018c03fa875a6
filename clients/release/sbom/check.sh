step install
"$PYTHON" -m venv venv
venv/bin/pip install --quiet --require-hashes --no-deps -r "$ROOT/deploy/sbom.lock"

step test
venv/bin/python main.py "$RELEASE/sbom" "$VERSION"
