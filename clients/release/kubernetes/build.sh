"$PYTHON" "$APPLICATION/../archive.py" "$ROOT" "$PACKAGES/chitarrella-kubernetes-$VERSION.tar.gz" \
    LICENSE deploy/README.md deploy/kubernetes deploy/monitoring
