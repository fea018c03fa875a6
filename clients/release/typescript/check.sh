(
    cd "$ROOT/clients/typescript"
    [ -e node_modules/.package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund
    rm -rf dist # a file that is no longer compiled would be published
    npm pack --pack-destination "$PACKAGES"
)

step install
npm install --no-audit --no-fund "$PACKAGES"/*.tgz typescript @types/node@20
npx tsc

step play
node main.js "http://$REST" >match_id
