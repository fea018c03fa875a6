# A wheel of compiled rules would be built here too, beside the one that runs everywhere.
for home in "$ROOT" "$ROOT/clients/python"; do
    (cd "$home" && "$PYTHON" -m hatchling build -t sdist -t wheel -d "$PACKAGES")
done
