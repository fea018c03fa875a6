# The paths are those of the repository, so that the pages still link each other. Of the programs only `plain.py` is here,
# an engine with nothing of ours.
"$PYTHON" "$APPLICATION/../archive.py" "$ROOT" "$PACKAGES/chitarrella-vectors-$VERSION.tar.gz" \
    LICENSE docs/notation.md 'tests/vectors/*' ':(exclude,glob)tests/vectors/[!p]*.py'
