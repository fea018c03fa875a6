build() {
    (cd "$ROOT" && "$PYTHON" -m tests.deploy.image --save "$PACKAGES/chitarrella-$VERSION.tar")
}

check() {
    step install
    (cd "$ROOT" && "$PYTHON" -m tests.deploy.image --load "$(echo "$RELEASE"/image/*.tar)")
}
