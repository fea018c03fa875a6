# $2 is what is installed: wheel or sdist.
case $2 in wheel) suffix=.whl ;; sdist) suffix=.tar.gz ;; esac

step install
"$PYTHON" -m venv venv
venv/bin/pip install --no-cache-dir "$RELEASE"/python/*"$suffix"
venv/bin/pip check

step play
venv/bin/python main.py "$GRPC" >match_id
