# As for Java, whose client this one depends on.
maven() { mvn -B -q -Dmaven.repo.local="$CACHE/maven" "$@"; }
rm -rf "$CACHE/maven/io/github/chitarrella"
maven -f "$ROOT/clients/java" -Dmaven.test.skip=true install
maven -f "$ROOT/clients/kotlin" -Dmaven.test.skip=true install

step install
maven compile dependency:copy-dependencies

step play
java -cp 'target/classes:target/dependency/*' MainKt "$GRPC" >match_id
