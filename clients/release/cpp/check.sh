make -s -C "$ROOT" proto/node_modules # buf, which the page of the package names as needed

step install
tar -xzf "$RELEASE"/cpp/*.tar.gz
PATH=$ROOT/proto/node_modules/.bin:$PATH
cmake -G Ninja -S chitarrella-cpp-*/clients/cpp -B library
cmake --build library
cmake --install library --prefix installed
cmake -G Ninja -B build -DCMAKE_PREFIX_PATH="$PWD/installed"
cmake --build build

step play
build/application "$GRPC" >match_id
