# Not verified by cargo: the application compiles the crate, and once is enough.
(cd "$ROOT/clients/rust" && cargo package --allow-dirty --no-verify --target-dir "$PACKAGES")

step install
mkdir chitarrella-client
tar -xzf "$PACKAGES"/package/chitarrella-client-*.crate -C chitarrella-client --strip-components 1
cargo build --target-dir "$CACHE/rust"

step play
"$CACHE/rust/debug/application" "$GRPC" >match_id
