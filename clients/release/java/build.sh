# A local repository of its own, so that ~/.m2 neither hides what is missing nor keeps what is made here. The Kotlin
# client takes the Java client from there.
rm -rf "$CACHE/maven/io/github/chitarrella"
for client in java kotlin; do
    mvn -B -q -f "$ROOT/clients/$client" -P release -Dmaven.repo.local="$CACHE/maven" -Dmaven.test.skip=true \
        "-DaltDeploymentRepository=release::file://$PACKAGES" deploy
done
