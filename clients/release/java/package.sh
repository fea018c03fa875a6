# A local repository of its own, so that ~/.m2 neither hides what is missing nor keeps what is made here.
build() {
    rm -rf "$CACHE/maven/io/github/chitarrella"
    mvn -B -q -f "$ROOT/clients/java" -P release -Dmaven.repo.local="$CACHE/maven" -Dmaven.test.skip=true \
        "-DaltDeploymentRepository=release::file://$PACKAGES" deploy
}

# What the registry demands: complete metadata, and sources, javadoc and checksums of every artifact. Signatures are made by
# whoever publishes.
registry() {
    step registry
    mvn -B -q -f "$ROOT/clients/java" "-Dmaven.repo.local=$CACHE/maven" \
        org.kordamp.maven:pomchecker-maven-plugin:1.6.0:check-maven-central
    package=$RELEASE/maven/io/github/chitarrella/chitarrella-client/$VERSION/chitarrella-client-$VERSION
    for suffix in .pom .jar -sources.jar -javadoc.jar; do
        file=$package$suffix
        test -s "$file"
        echo "$(cat "$file.sha1")  $file" | sha1sum --check --quiet
        echo "$(cat "$file.md5")  $file" | md5sum --check --quiet
    done
    jar tf "$package-javadoc.jar" | grep -x index.html
    jar tf "$package-sources.jar" | grep '/Chitarrella\.'
    jar tf "$package-sources.jar" | grep 'Match.*Grpc'
}

# The packages come from build/release; the local repository keeps other people's.
check() {
    rm -rf "$CACHE/maven/io/github/chitarrella"

    step install
    mvn -B -q "-Dmaven.repo.local=$CACHE/maven" "-Drelease=$RELEASE" "-Dversion=$VERSION" dependency:copy-dependencies

    step play
    java -cp 'target/dependency/*' Main.java "$GRPC" >match_id
}
