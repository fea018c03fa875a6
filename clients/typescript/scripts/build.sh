#!/bin/sh
# Installs, checks, builds and tests; does nothing if nothing has changed since.
set -eu
cd "$(dirname "$0")/.."

inputs='package.json ../package-lock.json ../biome.json tsconfig*.json buf.gen.yaml README.md scripts src web conformance tests proto'
if [ -e build/.built ] && [ -z "$(find $inputs ../../proto/chitarrella ../../service/chitarrella/i18n/locale/en.json -newer build/.built -print | head -n 1)" ]; then
    echo 'up to date'
    exit
fi

make -s -C ../.. clients/node_modules
rm -rf build dist example
node scripts/example.mjs
npm run --silent build
npm run --silent check
node scripts/web.mjs --check
../node_modules/.bin/tsc -p tsconfig.json
../node_modules/.bin/esbuild build/conformance/page.js --bundle --format=iife --outfile=build/page.js --log-level=warning
npm test
touch build/.built
