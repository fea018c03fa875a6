# Not verified by cargo: the application of the check compiles the crate, and once is enough.
(cd "$ROOT/clients/rust" && cargo package --allow-dirty --no-verify --target-dir "$OLDPWD/target")
cp target/package/*.crate "$PACKAGES"
