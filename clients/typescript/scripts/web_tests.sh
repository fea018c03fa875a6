#!/bin/sh
# Builds what the browser tests of the table run, into build/web; does nothing if nothing has changed since.
set -eu
cd "$(dirname "$0")/.."

make -s -C ../.. clients/node_modules
if [ -e build/web/run.mjs ] && [ -z "$(find web conformance/chromium.ts ../package-lock.json -newer build/web/run.mjs -print | head -n 1)" ]; then
    exit
fi
esbuild='../node_modules/.bin/esbuild --bundle --log-level=warning'
$esbuild web/tests/in_page.ts --format=iife --outfile=build/web/in_page.js
$esbuild web/tests/run.ts --platform=node --packages=external --format=esm --outfile=build/web/run.mjs
