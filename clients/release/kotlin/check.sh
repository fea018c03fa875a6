# As for Java, whose client this one depends on.
rm -rf "$CACHE/maven/io/github/chitarrella"

step install
mvn -B -q "-Dmaven.repo.local=$CACHE/maven" "-Drelease=$RELEASE" "-Dversion=$VERSION" compile dependency:copy-dependencies

step play
java -cp 'target/classes:target/dependency/*' MainKt "$GRPC" >match_id
