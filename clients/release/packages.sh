# How each package of a release is built and checked: NAME_build, NAME_check, NAME_registry and others. `scripts.py` calls
# them in an empty folder, a check in one with the files of its application, in folder NAME. `step` names what begins.

# ---- python

python_build() {
    for home in "$ROOT" "$ROOT/cards" "$ROOT/clients/python" "$ROOT/clients/mcp" "$ROOT/kit" \
        "$ROOT/terminal" "$ROOT/lab"; do
        (cd "$home" && "$PYTHON" -m hatchling build -t sdist -d "$PACKAGES")
    done
    # A source distribution has the licence, which lies at the root of the repository.
    "$PYTHON" -m pip wheel --no-deps --no-build-isolation --wheel-dir "$PACKAGES" "$PACKAGES"/*.tar.gz
}

python_registry() {
    step registry
    tools=$CACHE/python-tools
    [ -x "$tools/bin/python" ] || "$PYTHON" -m venv "$tools"
    "$tools/bin/pip" install --quiet twine==7.0.0 check-wheel-contents==0.6.3
    "$tools/bin/twine" check --strict "$RELEASE/python"/*
    "$tools/bin/check-wheel-contents" "$RELEASE/python"/*.whl
}

# $1 is what is installed: wheel or sdist.
python_check() {
    case $1 in wheel) suffix=.whl ;; sdist) suffix=.tar.gz ;; esac

    step install
    "$PYTHON" -m venv venv
    venv/bin/pip install --no-cache-dir "$RELEASE"/python/*"$suffix"
    venv/bin/pip check

    step play
    venv/bin/python main.py "$GRPC" >match_id
}

# The lowest versions that the metadata of service, client and kit allows; of what those need, the newest. The
# service runs with them too: it is started by the tests.
python_lowest() {
    step install
    "$PYTHON" -m venv venv
    command -v uv || { "$PYTHON" -m venv tools && tools/bin/pip install uv && PATH="$PWD/tools/bin:$PATH"; }
    # Not the packages of these names in the registry, which the client and the service would otherwise bring.
    for name in "" _cards; do
        echo "chitarrella$name @ file://$(echo "$RELEASE/python/chitarrella$name"-*.whl)"
    done >overrides.txt
    uv pip compile --python venv/bin/python --resolution lowest-direct --extra server --extra embedded \
        --override overrides.txt -o lowest.txt "$ROOT/pyproject.toml" "$ROOT/clients/python/pyproject.toml" "$ROOT/kit/pyproject.toml"
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
python_serve() {
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
python_debian() {
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
    cp "$SCRIPTS/packages.sh" serve.py root/root/

    # The mounts end with the process that makes them.
    export PYTHON="/usr/bin/python$2" SCRIPTS=/root
    unshare --mount --propagation private sh -euxc '
        for folder in "$RELEASE" /etc/ssl/certs; do
            mkdir -p "root$folder"
            mount --bind -o ro "$folder" "root$folder"
        done
        mount -t proc proc root/proc
        mount --rbind /dev root/dev
        exec chroot root "$@"' sh sh -euxc 'step() { echo "== $1"; }; cd /root; . ./packages.sh; python_serve'
}

# ---- typescript

typescript_build() {
    (
        cd "$ROOT/clients/typescript"
        make -C "$ROOT" clients/node_modules
        rm -rf dist # a file that is no longer compiled would be published
        npm pack --pack-destination "$PACKAGES"
        cd "$ROOT/clients/typescript-rules"
        npm pack --pack-destination "$PACKAGES"
    )
}

typescript_registry() {
    step registry
    client=$(echo "$RELEASE"/npm/chitarrella-client-*.tgz) rules=$(echo "$RELEASE"/npm/chitarrella-rules-*.tgz)
    mkdir -p "$CACHE/npm-tools"
    npm install --prefix "$CACHE/npm-tools" --no-save --no-audit --no-fund publint@0.3.25 @arethetypeswrong/cli@0.18.5
    PATH=$CACHE/npm-tools/node_modules/.bin:$PATH
    publint --strict "$client"
    publint --strict "$rules"
    # Both packages are modules; a wheel, an archive and a manifest have no types.
    attw --profile esm-only "$client"
    attw --profile esm-only --exclude-entrypoints chitarrella.whl protobuf.zip package.json -- "$rules"
    # The rules in the package are the wheel that is published for Python.
    tar -xzOf "$rules" package/dist/chitarrella.whl | cmp - "$RELEASE"/python/chitarrella-*-py3-none-any.whl
}

typescript_check() {
    step install
    echo '{ "private": true, "type": "module" }' >package.json
    echo '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": true, "types": ["node"] } }' >tsconfig.json
    npm install --no-audit --no-fund "$RELEASE"/npm/chitarrella-client-*.tgz typescript @types/node@20
    npx tsc

    step play
    node main.js "http://$REST" >match_id
}

# ---- typescript-rules

typescript_rules_check() {
    step install
    echo '{ "private": true, "type": "module" }' >package.json
    echo '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": true, "types": ["node"] } }' >tsconfig.json
    npm install --no-audit --no-fund "$RELEASE"/npm/*.tgz typescript @types/node@20
    npx tsc
    npx chitarrella-rules page
    test -s page/rules.js
    test -s page/pyodide.asm.wasm

    step play
    node main.js "http://$REST" >match_id
}

# ---- go

go_build() {
    "$PYTHON" "$SCRIPTS/archive.py" --go "$ROOT/clients/go" "v$VERSION" "$PACKAGES"
    # A module in a folder is published by a tag with the path of the folder.
    echo "clients/go/v$VERSION" >"$PACKAGES/tag"
}

go_registry() {
    step registry
    module=github.com/chitarrella/chitarrella/clients/go
    set -- "$module" "v$VERSION" "$RELEASE/go/$module/@v/v$VERSION.zip"
    # What is committed is compared with what Go would make of the tag; a tree with changes has no such tag.
    if [ -z "$(git -C "$ROOT" status --porcelain clients/go)" ]; then
        git -C "$ROOT" archive HEAD LICENSE clients/go | tar -x
        mv LICENSE clients/go # the go command takes it from the root, as the folder has none
        set -- "$@" "$PWD/clients/go"
    fi
    go -C "$ROOT/clients/go/tools" run ./modulezip "$@"
}

go_check() {
    step install
    # The module cache is made anew, or it would have the module of an earlier check.
    export GOFLAGS=-modcacherw GOMODCACHE="$PWD/modules" GOWORK=off
    export GOPROXY="file://$RELEASE/go,$(go env GOPROXY)" GONOSUMDB=github.com/chitarrella
    go mod init application
    go get "github.com/chitarrella/chitarrella/clients/go@v$VERSION"
    go get -u
    go build -o application

    step play
    ./application "$GRPC" >match_id
}

# ---- java

# A local repository of its own, so that ~/.m2 neither hides what is missing nor keeps what is made here.
java_build() {
    rm -rf "$CACHE/maven/io/github/chitarrella"
    mvn -B -q -f "$ROOT/clients/java" -P release -Dmaven.repo.local="$CACHE/maven" -Dmaven.test.skip=true \
        "-DaltDeploymentRepository=release::file://$PACKAGES" deploy
}

# What the registry demands: complete metadata, and sources, javadoc and checksums of every artifact. Signatures are made by
# whoever publishes.
java_registry() {
    step registry
    mvn -B -q -f "$ROOT/clients/java" "-Dmaven.repo.local=$CACHE/maven" \
        org.kordamp.maven:pomchecker-maven-plugin:1.6.0:check-maven-central
    package=$RELEASE/maven/io/github/chitarrella/chitarrella-client/$VERSION/chitarrella-client-$VERSION
    for suffix in .pom .jar -sources.jar -javadoc.jar; do
        file=$package$suffix
        test -s "$file"
        echo "$(cat "$file.sha1")  $file" | sha1sum --check --quiet
        echo "$(cat "$file.md5")  $file" | md5sum --check --quiet
    done
    jar tf "$package-javadoc.jar" | grep -x index.html
    jar tf "$package-sources.jar" | grep '/Chitarrella\.'
    jar tf "$package-sources.jar" | grep 'Match.*Grpc'
}

# The packages come from build/release; the local repository keeps other people's.
java_check() {
    rm -rf "$CACHE/maven/io/github/chitarrella"

    step install
    mvn -B -q "-Dmaven.repo.local=$CACHE/maven" "-Drelease=$RELEASE" "-Dversion=$VERSION" dependency:copy-dependencies

    step play
    java -cp 'target/dependency/*' Main.java "$GRPC" >match_id
}

# ---- templates

# The templates of `clients/templates` with the contract that their builds read, in the folders of the repository.
templates_build() {
    "$PYTHON" "$SCRIPTS/archive.py" "$ROOT" "$PACKAGES/chitarrella-templates-$VERSION.tar.gz" \
        LICENSE clients/templates proto ':!proto/generate.py' ':!proto/released'
}

# `make test-clients` plays with each template in the repository; here one shows that the archive has all that they need.
templates_check() {
    step install
    tar -xzf "$RELEASE"/templates/*.tar.gz
    cd chitarrella-templates-*/clients/templates/rust
    # What the template in the repository depends on is not compiled again.
    target=$ROOT/clients/templates/rust/target
    cargo build --target-dir "$target"

    step play
    "$target/debug/chitarrella-rust" "$GRPC" >printed
    sed -n 's/^match: //p' printed >"$OLDPWD/match_id"
}

# ---- image

image_build() {
    (cd "$ROOT" && "$PYTHON" -m tests.deploy.image --save "$PACKAGES/chitarrella-$VERSION.tar")
}

image_check() {
    step install
    (cd "$ROOT" && "$PYTHON" -m tests.deploy.image --load "$(echo "$RELEASE"/image/*.tar)")
}

# ---- kubernetes

kubernetes_build() {
    "$PYTHON" "$SCRIPTS/archive.py" "$ROOT" "$PACKAGES/chitarrella-kubernetes-$VERSION.tar.gz" \
        LICENSE 'deploy/*.md' deploy/kubernetes deploy/monitoring
}

kubernetes_check() {
    step install
    tar -xzf "$RELEASE"/kubernetes/*.tar.gz
    manifests=$(echo "$PWD"/chitarrella-kubernetes-*/deploy/kubernetes)
    for overlay in one-node replicated cluster; do
        grep -F "newTag: $VERSION" "$manifests/overlays/$overlay/kustomization.yaml"
    done
    (cd "$ROOT" && "$PYTHON" -m tests.deploy.manifests "$manifests")
}

# ---- vectors

# The paths are those of the repository, so that the pages still link each other. Of the programs only `plain.py` is here,
# an engine with nothing of ours.
vectors_build() {
    cd "$ROOT"
    "$PYTHON" -m tests.vectors.write --archive "$PACKAGES/chitarrella-vectors-$VERSION.tar.gz"
}

vectors_check() {
    step install
    tar -xzf "$RELEASE"/vectors/*.tar.gz
    "$PYTHON" -m venv venv

    step test
    # Another engine, in an environment without any package; then the published one, which counts all.
    venv/bin/python main.py chitarrella-vectors-*/tests/vectors
    venv/bin/pip install --quiet "$RELEASE"/python/chitarrella-*.whl "$RELEASE"/python/chitarrella_testing-*.whl \
        "$RELEASE"/python/chitarrella_terminal-*.whl "$RELEASE"/python/chitarrella_lab-*.whl
    venv/bin/chitarrella perft --check chitarrella-vectors-*/tests/vectors/perft
    # The commands for a terminal, where the service is not installed.
    echo quit | venv/bin/chitarrella play briscola --record match.txt
    venv/bin/chitarrella replay match.txt
}

# ---- sbom

# The bills of materials of what each package brings, as CycloneDX: with the versions of the locks, or with those that are
# resolved today where there is no lock. The templates have none.
sbom_build() {
    mkdir -p "$CACHE/sbom"

    # The service, as the image has it, and what stands on it.
    "$PYTHON" -m venv tools
    "$PYTHON" -m venv --without-pip service
    tools/bin/pip install --quiet --require-hashes --no-deps -r "$ROOT/deploy/build.lock" -r "$ROOT/deploy/sbom.lock"
    tools/bin/pip --python service/bin/python install --quiet --require-hashes -r "$ROOT/deploy/requirements.lock"
    for home in . cards clients/python clients/mcp kit terminal lab; do
        (cd "$ROOT/$home" && "$PYTHON" -m hatchling build -t wheel -d "$OLDPWD/wheels")
    done
    tools/bin/pip --python service/bin/python install --quiet --no-deps --no-index wheels/chitarrella-*.whl \
        wheels/chitarrella_cards-*.whl
    tools/bin/cyclonedx-py environment --output-reproducible --pyproject "$ROOT/pyproject.toml" \
        --output-file "$PACKAGES/chitarrella.cdx.json" service/bin/python
    sed -n 's/^\([a-z0-9._-]*\)[^ ]*\(==[^ ;]*\).*/\1\2/p' "$ROOT/requirements.lock" "$ROOT/deploy/requirements.lock" \
        "$ROOT/terminal/requirements.lock" >locked.txt
    for name in cards client-python mcp testing terminal lab; do
        case $name in
        cards) home=cards wheels=wheels/chitarrella_cards-*.whl ;;
        client-python) home=clients/python wheels=wheels/chitarrella_client-*.whl ;;
        mcp) home=clients/mcp wheels='wheels/chitarrella_cards-*.whl wheels/chitarrella_client-*.whl wheels/chitarrella_mcp-*.whl' ;;
        testing) home=kit wheels=wheels/chitarrella_testing-*.whl ;;
        terminal) home=terminal wheels=wheels/chitarrella_terminal-*.whl ;;
        lab) home=lab wheels='wheels/chitarrella_te*-*.whl wheels/chitarrella_lab-*.whl' ;;
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

sbom_check() {
    step install
    "$PYTHON" -m venv venv
    venv/bin/pip install --quiet --require-hashes --no-deps -r "$ROOT/deploy/sbom.lock"

    step test
    venv/bin/python main.py "$RELEASE/sbom" "$VERSION"
}
