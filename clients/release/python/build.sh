for home in "$ROOT" "$ROOT/clients/python" "$ROOT/clients/mcp" "$ROOT/lab"; do
    (cd "$home" && "$PYTHON" -m hatchling build -t sdist -t wheel -d "$PACKAGES")
done
