step install
(cd "$ROOT" && "$PYTHON" -m tests.deploy.image --load "$(echo "$RELEASE"/image/*.tar)")
