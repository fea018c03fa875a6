#!/bin/sh
# Installs, checks, builds and tests; does nothing if nothing has changed since.
set -eu
cd "$(dirname "$0")/.."

inputs='package.json package-lock.json tsconfig*.json biome.json buf.gen.yaml README.md scripts src web conformance tests proto'
if [ -e build/.built ] && [ -z "$(find $inputs ../../proto/chitarrella -newer build/.built -print | head -n 1)" ]; then
    echo 'up to date'
    exit
fi

if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --ignore-scripts --no-audit --no-fund
fi
rm -rf build dist example
node scripts/example.mjs
npm run --silent build
npm run --silent check
node scripts/web.mjs --check
node_modules/.bin/tsc -p tsconfig.json
node_modules/.bin/esbuild build/conformance/page.js --bundle --format=iife --outfile=build/page.js --log-level=warning
npm test
touch build/.built
