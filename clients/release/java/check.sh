# A local repository of its own, so that ~/.m2 neither hides what is missing nor keeps what is made here.
maven() { mvn -B -q -Dmaven.repo.local="$CACHE/maven" "$@"; }
rm -rf "$CACHE/maven/io/github/chitarrella"
maven -f "$ROOT/clients/java" -Dmaven.test.skip=true install

step install
maven dependency:copy-dependencies

step play
java -cp 'target/dependency/*' Main.java "$GRPC" >match_id
