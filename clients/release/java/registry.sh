# What the registry demands: complete metadata, and sources, javadoc and checksums of every artifact. Signatures are made by
# whoever publishes.
step registry
for client in java kotlin; do
    mvn -B -q -f "$ROOT/clients/$client" "-Dmaven.repo.local=$CACHE/maven" \
        org.kordamp.maven:pomchecker-maven-plugin:1.6.0:check-maven-central
done
for artifact in chitarrella-client chitarrella-client-kotlin; do
    folder=$RELEASE/maven/io/github/chitarrella/$artifact/$VERSION
    for suffix in .pom .jar -sources.jar -javadoc.jar; do
        file=$folder/$artifact-$VERSION$suffix
        test -s "$file"
        echo "$(cat "$file.sha1")  $file" | sha1sum --check --quiet
        echo "$(cat "$file.md5")  $file" | md5sum --check --quiet
    done
    jar tf "$folder/$artifact-$VERSION-javadoc.jar" | grep -x index.html
    jar tf "$folder/$artifact-$VERSION-sources.jar" | grep '/Chitarrella\.'
    jar tf "$folder/$artifact-$VERSION-sources.jar" | grep 'Match.*Grpc'
done
