(
    cd "$ROOT/clients/typescript"
    [ -e node_modules/.package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund
    rm -rf dist # a file that is no longer compiled would be published
    npm pack --pack-destination "$PACKAGES"
    cd "$ROOT/clients/typescript-rules"
    npm pack --pack-destination "$PACKAGES"
)
