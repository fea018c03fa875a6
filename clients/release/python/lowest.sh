# The lowest versions that the metadata of the service and of the client allows; of what those need, the newest. The
# service runs with them too: it is started by the tests.
step install
"$PYTHON" -m venv venv
command -v uv || { "$PYTHON" -m venv tools && tools/bin/pip install uv && PATH="$PWD/tools/bin:$PATH"; }
# Not the package of this name in the registry, which the client would otherwise bring.
echo "chitarrella @ file://$(echo "$RELEASE"/python/chitarrella-*.whl)" >overrides.txt
uv pip compile --python venv/bin/python --resolution lowest-direct --extra server --extra embedded \
    --override overrides.txt -o lowest.txt "$ROOT/pyproject.toml" "$ROOT/clients/python/pyproject.toml"
uv pip install --python venv/bin/python -r lowest.txt
uv pip install --python venv/bin/python --no-deps "$RELEASE"/python/chitarrella_client-*.whl
uv pip check --python venv/bin/python
uv pip install --python venv/bin/python -c "$ROOT/requirements.lock" pytest pytest-asyncio pytest-timeout

step test
python=$PWD/venv/bin/python
(
    cd "$ROOT/tests/client"
    "$python" -m pytest -q -p no:cacheprovider --rootdir "$ROOT" \
        test_errors.py test_fairness.py test_records.py test_retry.py test_rules.py test_values.py
)

step play
venv/bin/python main.py "$GRPC" >match_id
