make -s -C "$ROOT" proto/node_modules # buf
cmake -G Ninja -S "$ROOT/clients/cpp" -B "$CACHE/cpp"
cmake --build "$CACHE/cpp"
cmake --install "$CACHE/cpp" --prefix "$PACKAGES"

step install
cmake -G Ninja -B build -DCMAKE_PREFIX_PATH="$PACKAGES"
cmake --build build

step play
build/application "$GRPC" >match_id
