# `pip install chitarrella[server]`, then `chitarrella serve`: with PYTHON, which may be another one than that of ROOT.
step install
wheels=$RELEASE/python
"$PYTHON" --version
"$PYTHON" -m venv venv
venv/bin/pip install "$(echo "$wheels"/chitarrella-*-py3-none-any.whl)[server]"
venv/bin/pip check
# The client needs nothing that the service has not brought.
venv/bin/pip install --no-index "$wheels"/chitarrella_client-*.whl
venv/bin/pip check

step play
venv/bin/python serve.py venv/bin/chitarrella
