"$PYTHON" "$APPLICATION/../archive.py" "$ROOT" "$PACKAGES/chitarrella-cpp-$VERSION.tar.gz" \
    LICENSE clients/cpp proto ':!proto/generate.py' ':!proto/released'
