check() {
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
