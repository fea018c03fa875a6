# The bills of materials of what each package brings, as CycloneDX: with the versions of the locks, or with those that are
# resolved today where there is no lock. The templates have none.
build() {
    mkdir -p "$CACHE/sbom"

    # The service, as the image has it, and what stands on it.
    "$PYTHON" -m venv tools
    "$PYTHON" -m venv --without-pip service
    tools/bin/pip install --quiet --require-hashes --no-deps -r "$ROOT/deploy/build.lock" -r "$ROOT/deploy/sbom.lock"
    tools/bin/pip --python service/bin/python install --quiet --require-hashes -r "$ROOT/deploy/requirements.lock"
    for home in . cards clients/python clients/mcp kit lab; do
        (cd "$ROOT/$home" && "$PYTHON" -m hatchling build -t wheel -d "$OLDPWD/wheels")
    done
    tools/bin/pip --python service/bin/python install --quiet --no-deps --no-index wheels/chitarrella-*.whl \
        wheels/chitarrella_cards-*.whl
    tools/bin/cyclonedx-py environment --output-reproducible --pyproject "$ROOT/pyproject.toml" \
        --output-file "$PACKAGES/chitarrella.cdx.json" service/bin/python
    sed -n 's/^\([a-z0-9._-]*\)[^ ]*\(==[^ ;]*\).*/\1\2/p' "$ROOT/requirements.lock" "$ROOT/deploy/requirements.lock" \
        >locked.txt
    for name in cards client-python mcp testing lab; do
        case $name in
        cards) home=cards wheels=wheels/chitarrella_cards-*.whl ;;
        client-python) home=clients/python wheels=wheels/chitarrella_client-*.whl ;;
        mcp) home=clients/mcp wheels='wheels/chitarrella_cards-*.whl wheels/chitarrella_client-*.whl wheels/chitarrella_mcp-*.whl' ;;
        testing) home=kit wheels=wheels/chitarrella_testing-*.whl ;;
        lab) home=lab wheels='wheels/chitarrella_testing-*.whl wheels/chitarrella_lab-*.whl' ;;
        esac
        "$PYTHON" -m venv --without-pip "$name"
        tools/bin/pip --python "$name/bin/python" install --quiet -c locked.txt wheels/chitarrella-*.whl $wheels
        tools/bin/cyclonedx-py environment --output-reproducible --pyproject "$ROOT/$home/pyproject.toml" \
            --output-file "$PACKAGES/chitarrella-$name.cdx.json" "$name/bin/python"
    done

    # Without what only its developers need; npm leaves out too much if it is told so. The peer of the rules is the client.
    for name in chitarrella-client rules; do
        case $name in chitarrella-client) home=typescript ;; rules) home=typescript-rules ;; esac
        mkdir "$name" # npm names the component by its folder
        cp "$ROOT/clients/$home/package.json" "$ROOT/clients/package-lock.json" "$name"
        (
            cd "$name"
            npm pkg delete devDependencies peerDependencies
            npm install --package-lock-only --ignore-scripts --no-audit --no-fund
            npm sbom --sbom-format cyclonedx --package-lock-only >"$PACKAGES/chitarrella-$home.cdx.json"
        )
    done

    (
        cd "$ROOT/clients/go"
        go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 mod -json -licenses \
            -output "$PACKAGES/chitarrella-client-go.cdx.json"
    )

    maven() { mvn -B -q -f "$ROOT/clients/java" "-Dmaven.repo.local=$CACHE/maven" "$@"; }
    maven "-DoutputDirectory=$PWD/java" -DoutputFormat=json -DincludeTestScope=false \
        org.cyclonedx:cyclonedx-maven-plugin:2.9.3:makeBom
    cp java/bom.json "$PACKAGES/chitarrella-client-java.cdx.json"
}

check() {
    step install
    "$PYTHON" -m venv venv
    venv/bin/pip install --quiet --require-hashes --no-deps -r "$ROOT/deploy/sbom.lock"

    step test
    venv/bin/python main.py "$RELEASE/sbom" "$VERSION"
}
