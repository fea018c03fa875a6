(cd "$ROOT" && "$PYTHON" -m tests.deploy.image --save "$PACKAGES/chitarrella-$VERSION.tar")
