// The runner of the Java client: plays the scenarios and writes a report.
package chitarrella.conformance;

import chitarrella.client.Chitarrella;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Plays the scenarios with the flags of the conformance run, see clients/conformance/README.md. */
public final class Runner {
  private final Map<String, String> flags = new HashMap<>();

  private Runner(String[] args) {
    for (var at = 0; at + 1 < args.length; at += 2) {
      flags.put(args[at].replaceFirst("^--", ""), args[at + 1]);
    }
  }

  private String flag(String name) {
    return Objects.requireNonNull(flags.get(name), () -> "--" + name + " is needed");
  }

  private void cut() {
    var address = flag("cut");
    var colon = address.lastIndexOf(':');
    var port = Integer.parseInt(address.substring(colon + 1));
    try (var connection = new Socket(address.substring(0, colon), port)) {
      while (connection.getInputStream().read() >= 0) {
        // closed when everything is cut
      }
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  private Chitarrella connectTls() {
    try {
      var ca = Path.of(flag("ca")).toFile();
      var credentials = TlsChannelCredentials.newBuilder().trustManager(ca).build();
      return Chitarrella.builder(flag("tls")).tls(credentials).build();
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  private Chitarrella connectPlatform() {
    return Chitarrella.builder(flag("platform")).apiKey(flag("api-key")).build();
  }

  private List<Object> play(JsonObject scenario) {
    var client = Chitarrella.connect(flag("grpc"));
    try (var player =
        new ScenarioPlayer(client, this::cut, this::connectTls, this::connectPlatform)) {
      return scenario.getAsJsonArray("steps").asList().stream()
          .<Object>map(step -> player.run(step.getAsJsonObject()))
          .toList();
    }
  }

  private void run() throws IOException {
    var results = new LinkedHashMap<String, Object>();
    try (var found = Files.newDirectoryStream(Path.of(flag("scenarios")), "*.json")) {
      for (var path : sorted(found)) {
        var scenario = JsonParser.parseString(Files.readString(path)).getAsJsonObject();
        results.put(scenario.get("name").getAsString(), play(scenario));
      }
    }
    var json = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    var report = Map.of("client", "java", "results", results);
    Files.writeString(Path.of(flag("report")), json.toJson(report));
  }

  private static List<Path> sorted(Iterable<Path> paths) {
    var found = new java.util.ArrayList<Path>();
    paths.forEach(found::add);
    found.sort(null);
    return found;
  }

  /** Runs an example of the README, which the build has compiled. */
  private void example(String name) throws ReflectiveOperationException {
    var main = Class.forName(name).getMethod("main", String[].class);
    main.invoke(null, (Object) new String[] {flag("grpc")});
  }

  /** Runs the examples, and plays all scenarios. */
  public static void main(String[] args) throws Exception {
    var runner = new Runner(args);
    runner.example("Example");
    runner.example("LegalMovesExample");
    runner.run();
  }
}
