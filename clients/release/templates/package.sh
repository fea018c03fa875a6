# The templates of `clients/templates` with the contract that their builds read, in the folders of the repository.
build() {
    "$PYTHON" "$APPLICATION/../archive.py" "$ROOT" "$PACKAGES/chitarrella-templates-$VERSION.tar.gz" \
        LICENSE clients/templates proto ':!proto/generate.py' ':!proto/released'
}

# `make test-clients` plays with each template in the repository; here one shows that the archive has all that they need.
check() {
    step install
    tar -xzf "$RELEASE"/templates/*.tar.gz
    cd chitarrella-templates-*/clients/templates/rust
    cargo build --target-dir "$CACHE/rust"

    step play
    "$CACHE/rust/debug/chitarrella-rust" "$GRPC" >printed
    sed -n 's/^match: //p' printed >"$OLDPWD/match_id"
}
