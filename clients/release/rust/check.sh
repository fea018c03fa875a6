step install
mkdir chitarrella-client
tar -xzf "$RELEASE"/crates/chitarrella-client-*.crate -C chitarrella-client --strip-components 1
cargo build --target-dir "$CACHE/rust"

step play
"$CACHE/rust/debug/application" "$GRPC" >match_id
