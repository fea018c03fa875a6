build() {
    for home in "$ROOT" "$ROOT/cards" "$ROOT/clients/python" "$ROOT/clients/mcp" "$ROOT/kit" "$ROOT/lab"; do
        (cd "$home" && "$PYTHON" -m hatchling build -t sdist -t wheel -d "$PACKAGES")
    done
}

registry() {
    step registry
    tools=$CACHE/python-tools
    [ -x "$tools/bin/python" ] || "$PYTHON" -m venv "$tools"
    "$tools/bin/pip" install --quiet twine==7.0.0 check-wheel-contents==0.6.3
    "$tools/bin/twine" check --strict "$RELEASE/python"/*
    "$tools/bin/check-wheel-contents" "$RELEASE/python"/*.whl
}

# $1 is what is installed: wheel or sdist.
check() {
    case $1 in wheel) suffix=.whl ;; sdist) suffix=.tar.gz ;; esac

    step install
    "$PYTHON" -m venv venv
    venv/bin/pip install --no-cache-dir "$RELEASE"/python/*"$suffix"
    venv/bin/pip check

    step play
    venv/bin/python main.py "$GRPC" >match_id
}

# The lowest versions that the metadata of the service and of the client allows; of what those need, the newest. The
# service runs with them too: it is started by the tests.
lowest() {
    step install
    "$PYTHON" -m venv venv
    command -v uv || { "$PYTHON" -m venv tools && tools/bin/pip install uv && PATH="$PWD/tools/bin:$PATH"; }
    # Not the packages of these names in the registry, which the client and the service would otherwise bring.
    for name in "" _cards; do
        echo "chitarrella$name @ file://$(echo "$RELEASE/python/chitarrella$name"-*.whl)"
    done >overrides.txt
    uv pip compile --python venv/bin/python --resolution lowest-direct --extra server --extra embedded \
        --override overrides.txt -o lowest.txt "$ROOT/pyproject.toml" "$ROOT/clients/python/pyproject.toml"
    uv pip install --python venv/bin/python -r lowest.txt
    # The test kit, for the tests.
    uv pip install --python venv/bin/python --no-deps "$RELEASE"/python/chitarrella_client-*.whl \
        "$RELEASE"/python/chitarrella_testing-*.whl
    uv pip check --python venv/bin/python
    uv pip install --python venv/bin/python -c "$ROOT/requirements.lock" pytest pytest-asyncio pytest-timeout

    step test
    python=$PWD/venv/bin/python
    (
        cd "$ROOT/tests/client"
        "$python" -m pytest -q -p no:cacheprovider --rootdir "$ROOT" \
            test_errors.py test_matches.py test_rules.py test_values.py
    )

    step play
    venv/bin/python main.py "$GRPC" >match_id
}

# `pip install chitarrella[server]`, then `chitarrella serve`: with PYTHON, which may be another one than that of ROOT.
serve() {
    step install
    wheels=$RELEASE/python
    "$PYTHON" --version
    "$PYTHON" -m venv venv
    venv/bin/pip install --find-links "$wheels" "$(echo "$wheels"/chitarrella-*-py3-none-any.whl)[server]"
    venv/bin/pip check
    # The client needs nothing that the service has not brought.
    venv/bin/pip install --no-index "$wheels"/chitarrella_client-*.whl
    venv/bin/pip check

    step play
    venv/bin/python serve.py venv/bin/chitarrella
}

# What `serve` does, with the Python of a Debian that has it: $1 is the release of Debian, $2 the version of Python.
debian() {
    base=$CACHE/debian-$1-python$2.tar
    if [ ! -e "$base" ]; then
        # A mirror that lags serves a list of packages of some days ago; its signature is checked all the same.
        mmdebstrap --quiet --variant=minbase --format=tar --include="python$2-venv,ca-certificates" \
            --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$base.partial"
        mv "$base.partial" "$base"
    fi
    mkdir root
    tar -xf "$base" -C root
    cp /etc/resolv.conf root/etc/
    [ ! -e /etc/pip.conf ] || cp /etc/pip.conf root/etc/
    cp package.sh serve.py root/root/

    # The mounts end with the process that makes them.
    export PYTHON="/usr/bin/python$2" APPLICATION=/root
    unshare --mount --propagation private sh -euxc '
        for folder in "$RELEASE" /etc/ssl/certs; do
            mkdir -p "root$folder"
            mount --bind -o ro "$folder" "root$folder"
        done
        mount -t proc proc root/proc
        mount --rbind /dev root/dev
        exec chroot root "$@"' sh sh -euxc 'step() { echo "== $1"; }; cd /root; . ./package.sh; serve'
}
