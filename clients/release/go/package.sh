build() {
    "$PYTHON" "$APPLICATION/../archive.py" --go "$ROOT/clients/go" "v$VERSION" "$PACKAGES"
    # A module in a folder is published by a tag with the path of the folder.
    echo "clients/go/v$VERSION" >"$PACKAGES/tag"
}

registry() {
    step registry
    module=github.com/chitarrella/chitarrella/clients/go
    set -- "$module" "v$VERSION" "$RELEASE/go/$module/@v/v$VERSION.zip"
    # What is committed is compared with what Go would make of the tag; a tree with changes has no such tag.
    if [ -z "$(git -C "$ROOT" status --porcelain clients/go)" ]; then
        git -C "$ROOT" archive HEAD clients/go | tar -x
        set -- "$@" "$PWD/clients/go"
    fi
    go -C "$ROOT/clients/go/tools" run ./modulezip "$@"
}

check() {
    step install
    # The module cache is made anew, or it would have the module of an earlier check.
    export GOFLAGS=-modcacherw GOMODCACHE="$PWD/modules" GOWORK=off
    export GOPROXY="file://$RELEASE/go,$(go env GOPROXY)" GONOSUMDB=github.com/chitarrella
    go mod init application
    go get "github.com/chitarrella/chitarrella/clients/go@v$VERSION"
    go get -u
    go build -o application

    step play
    ./application "$GRPC" >match_id
}
