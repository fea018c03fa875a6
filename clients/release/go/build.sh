"$PYTHON" "$APPLICATION/module_proxy.py" "$ROOT" clients/go "v$VERSION" "$PACKAGES"
# A module in a folder is published by a tag with the path of the folder.
echo "clients/go/v$VERSION" >"$PACKAGES/tag"
