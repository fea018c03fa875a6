# $2 is what is published: wheel or sdist.
for home in "$ROOT" "$ROOT/clients/python"; do
    (cd "$home" && "$PYTHON" -m hatchling build -t "$2" -d "$PACKAGES")
done

step install
"$PYTHON" -m venv venv
venv/bin/pip install --no-cache-dir "$PACKAGES"/*
venv/bin/pip check

step play
venv/bin/python main.py "$GRPC" >match_id
