# What is checked is the folder `package` of the release, the pure wheels unless the script that reads this one says so.
step registry
tools=$CACHE/python-tools
[ -x "$tools/bin/python" ] || "$PYTHON" -m venv "$tools"
"$tools/bin/pip" install --quiet twine==7.0.0 check-wheel-contents==0.6.3
"$tools/bin/twine" check --strict "$RELEASE/${package:-python}"/*
"$tools/bin/check-wheel-contents" "$RELEASE/${package:-python}"/*.whl
