# The packages come from build/release; the local repository keeps other people's.
rm -rf "$CACHE/maven/io/github/chitarrella"

step install
mvn -B -q "-Dmaven.repo.local=$CACHE/maven" "-Drelease=$RELEASE" "-Dversion=$VERSION" dependency:copy-dependencies

step play
java -cp 'target/dependency/*' Main.java "$GRPC" >match_id
