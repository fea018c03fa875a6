# The paths are those of the repository, so that the pages still link each other. Of the programs only `plain.py` is here,
# an engine with nothing of ours.
cd "$ROOT"
"$PYTHON" -m tests.vectors.write --archive "$PACKAGES/chitarrella-vectors-$VERSION.tar.gz"
