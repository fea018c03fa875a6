#!/bin/sh
# Checks that the committed code is up to date with the contract: generates it again and compares.
set -eu
cd "$(dirname "$0")"
fresh=target/fresh
rm -rf "$fresh" && mkdir -p "$fresh"
out=$(cd "$fresh" && pwd)
(cd ../../proto && node_modules/.bin/buf generate --template ../clients/rust/buf.gen.yaml -o "$out")
diff -r "$fresh/src/v1" src/v1 || {
    echo 'The generated code is not up to date: run `make clients`.' >&2
    exit 1
}
