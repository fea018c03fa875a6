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
