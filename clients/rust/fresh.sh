#!/bin/sh
# Checks that the committed code is what the contract says: generates it anew, and compares.
set -eu
cd "$(dirname "$0")"
fresh=target/fresh
rm -rf "$fresh" && mkdir -p "$fresh"
out=$(cd "$fresh" && pwd)
(cd ../../proto && node_modules/.bin/buf generate --template ../clients/rust/buf.gen.yaml -o "$out")
diff -r "$fresh/src/v1" src/v1 || {
    echo 'The generated code is not what the contract says: run `make clients`.' >&2
    exit 1
}
