# What serve.sh does, with the Python of a Debian that has it: $2 is the release of Debian, $3 the version of Python.
base=$CACHE/debian-$2-python$3.tar
if [ ! -e "$base" ]; then
    # A mirror that lags serves a list of packages of some days ago; its signature is checked all the same.
    mmdebstrap --quiet --variant=minbase --format=tar --include="python$3-venv,ca-certificates" \
        --aptopt='Acquire::Check-Valid-Until "false"' "$2" "$base.partial"
    mv "$base.partial" "$base"
fi
mkdir root
tar -xf "$base" -C root
cp /etc/resolv.conf root/etc/
[ ! -e /etc/pip.conf ] || cp /etc/pip.conf root/etc/
cp serve.sh serve.py root/root/

# The mounts end with the process that makes them.
export PYTHON="/usr/bin/python$3" APPLICATION=/root
unshare --mount --propagation private sh -euxc '
    for folder in "$RELEASE" /etc/ssl/certs; do
        mkdir -p "root$folder"
        mount --bind -o ro "$folder" "root$folder"
    done
    mount -t proc proc root/proc
    mount --rbind /dev root/dev
    exec chroot root "$@"' sh sh -euxc 'step() { echo "== $1"; }; cd /root; . ./serve.sh'
