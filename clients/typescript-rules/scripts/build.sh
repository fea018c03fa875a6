#!/bin/sh
# Builds the package into dist: the wheel of this repository, the module with its types, and the files for a page in dist/web.
set -eu
cd "$(dirname "$0")/.."
root=$(cd ../.. && pwd)

make -s -C "$root" clients/node_modules
[ -e ../typescript/dist/node.js ] || npm run --silent build --prefix ../typescript
rm -rf dist build
here=$PWD
(cd "$root" && "$root/.venv/bin/python" -m hatchling build -t wheel -d "$here/build")
../node_modules/.bin/tsc -p tsconfig.json
cp build/chitarrella-*.whl dist/chitarrella.whl
"$root/.venv/bin/python" scripts/protobuf.py dist/protobuf.zip
../node_modules/.bin/esbuild src/rules.ts --bundle --format=esm --target=es2022 --minify --conditions=browser \
    --external:node:* --outfile=dist/web/rules.js --log-level=warning
node scripts/copy.mjs build/page
# The tests have the games of examples/ too, each a package of its own.
for game in "$root"/examples/*/pyproject.toml; do
    (cd "$(dirname "$game")" && "$root/.venv/bin/python" -m hatchling build -t wheel -d "$here/build/page/packages")
done
../node_modules/.bin/esbuild tests/run.ts --bundle --platform=node --format=esm --packages=external \
    --outfile=build/run.mjs --log-level=warning
