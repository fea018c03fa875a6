for home in "$ROOT" "$ROOT/clients/python"; do
    (cd "$home" && "$PYTHON" -m hatchling build -t sdist -t wheel -d "$PACKAGES")
done
