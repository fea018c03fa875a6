build() {
    (
        cd "$ROOT/clients/typescript"
        make -C "$ROOT" clients/node_modules
        rm -rf dist # a file that is no longer compiled would be published
        npm pack --pack-destination "$PACKAGES"
        cd "$ROOT/clients/typescript-rules"
        npm pack --pack-destination "$PACKAGES"
    )
}

registry() {
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

check() {
    step install
    echo '{ "private": true, "type": "module" }' >package.json
    echo '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": true, "types": ["node"] } }' >tsconfig.json
    npm install --no-audit --no-fund "$RELEASE"/npm/chitarrella-client-*.tgz typescript @types/node@20
    npx tsc

    step play
    node main.js "http://$REST" >match_id
}
