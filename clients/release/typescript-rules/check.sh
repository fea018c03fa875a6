(
    cd "$ROOT/clients/typescript"
    [ -e node_modules/.package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund
    npm pack --pack-destination "$PACKAGES"
    cd "$ROOT/clients/typescript-rules"
    npm pack --pack-destination "$PACKAGES"
)

step install
npm install --no-audit --no-fund "$PACKAGES"/*.tgz typescript @types/node@20
npx tsc
npx chitarrella-rules page
test -s page/rules.js
test -s page/pyodide.asm.wasm

step play
node main.js "http://$REST" >match_id
