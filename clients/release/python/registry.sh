step registry
tools=$CACHE/python-tools
[ -x "$tools/bin/python" ] || "$PYTHON" -m venv "$tools"
"$tools/bin/pip" install --quiet twine==7.0.0 check-wheel-contents==0.6.3
"$tools/bin/twine" check --strict "$RELEASE"/python/*
"$tools/bin/check-wheel-contents" "$RELEASE"/python/*.whl
