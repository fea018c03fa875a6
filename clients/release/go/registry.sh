step registry
module=github.com/chitarrella/chitarrella/clients/go
set -- "$module" "v$VERSION" "$RELEASE/go/$module/@v/v$VERSION.zip"
# What is committed is compared with what Go would make of the tag; a tree with changes has no such tag.
if [ -z "$(git -C "$ROOT" status --porcelain clients/go)" ]; then
    git -C "$ROOT" archive HEAD clients/go | tar -x
    set -- "$@" "$PWD/clients/go"
fi
go -C "$ROOT/clients/go/tools" run ./modulezip "$@"
