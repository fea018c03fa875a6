build() {
    "$PYTHON" "$APPLICATION/../archive.py" "$ROOT" "$PACKAGES/chitarrella-kubernetes-$VERSION.tar.gz" \
        LICENSE 'deploy/*.md' deploy/kubernetes deploy/monitoring
}

check() {
    step install
    tar -xzf "$RELEASE"/kubernetes/*.tar.gz
    manifests=$(echo "$PWD"/chitarrella-kubernetes-*/deploy/kubernetes)
    for overlay in one-node replicated cluster; do
        grep -F "newTag: $VERSION" "$manifests/overlays/$overlay/kustomization.yaml"
    done
    (cd "$ROOT" && "$PYTHON" -m tests.deploy.manifests "$manifests")
}
