# What the registry demands of the manifest and the crate, without sending it. Compiling is the other check's.
step registry
cd "$ROOT/clients/rust"
rm -rf "$CACHE/rust-publish"
cargo publish --dry-run --no-verify --allow-dirty --registry crates-io --target-dir "$CACHE/rust-publish"
# What would be sent is what was built; where cargo keeps it depends on its version.
find "$CACHE/rust-publish" -name '*.crate' >"$OLDPWD/crates"
test -s "$OLDPWD/crates"
while read -r crate; do cmp "$crate" "$RELEASE"/crates/*.crate; done <"$OLDPWD/crates"
