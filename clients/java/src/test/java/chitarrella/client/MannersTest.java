// No key is in any text, a mistake of the caller is an error at once, and a dropped watch ends its
// call.
package chitarrella.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import chitarrella.client.answers.WebhookAnswers.CreatedWebhook;
import chitarrella.client.answers.WebhookAnswers.Webhook;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.ChitarrellaException.BadRequestException;
import chitarrella.client.internal.ConnectionSettings;
import chitarrella.client.internal.SeatAccess;
import chitarrella.client.table.Move;
import chitarrella.v1.MatchUpdate;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MannersTest {
  private static final List<String> KEYS =
      List.of("ownkey", "seatkey", "platformkey", "whsecret", "creationid");
  private final FakeMatchService service = new FakeMatchService();

  private static String printed(Object thing) {
    var text = new StringWriter();
    if (thing instanceof Throwable failure) {
      failure.printStackTrace(new PrintWriter(text, true));
    }
    return text + thing.toString();
  }

  @Test
  void noKeyIsInAnyText() throws IOException {
    service.plays.add(to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    var builder = Chitarrella.builder("localhost:1").key("ownkey").apiKey("platformkey");
    var access = new SeatAccess("m", "ownkey", null, Map.of(0, "seatkey"));
    var created =
        new CreatedWebhook(new Webhook("w", "u", null, false, false, List.of()), "whsecret");
    try (var client = builder.build();
        var fake = service.connect(0)) {
      var match = client.match("m");
      var options = PlayOptions.USUAL.withRequestId("creationid");
      var move = Move.of("pass");
      var failure =
          assertThrows(
              ChitarrellaException.class, () -> fake.match("m", "ownkey").play(move, options));
      assertEquals("creationid", failure.requestId());
      var newMatch = NewMatch.builder().requestId("creationid").build();
      var settings = new ConnectionSettings("t", null, null, 0, "platformkey", "");
      Stream.of(
              builder,
              client,
              client.rules(),
              client.webhooks(),
              match,
              match.asSeat(0),
              match.watch(),
              client.watchMatches(),
              access,
              access.withNewKey(0, "seatkey"),
              created,
              failure,
              failure.details(),
              newMatch,
              settings)
          .forEach(
              thing ->
                  KEYS.forEach(key -> assertFalse(printed(thing).contains(key), thing::toString)));
      assertEquals("ownkey", match.key());
      assertEquals("whsecret", created.secret());
    }
  }

  private static void assertMistake(String field, String sentence, Runnable call) {
    var error = assertThrows(BadRequestException.class, call::run);
    assertEquals(field, error.field());
    assertTrue(error.message().contains(sentence), error::message);
  }

  @Test
  void aMistakeOfTheCallerIsSaidAtOnce() throws IOException {
    Map.of(
            "http://localhost:50051",
            "no scheme: it is localhost:50051",
            "localhost",
            "is host:port",
            "localhost:1/v1",
            "is host:port")
        .forEach(
            (target, sentence) ->
                assertMistake("target", sentence, () -> Chitarrella.connect(target)));
    var client = service.connect(4);
    assertMistake("authorization", "A key has", () -> client.match("m", "a\nb").get());
    client.close();
    var failures =
        Stream.<Runnable>of(
            () -> client.match("m").get(), () -> client.match("m").watch(), client::watchMatches);
    failures.forEach(
        call ->
            assertEquals(
                "The client is closed.",
                assertThrows(ChitarrellaException.class, call::run).message()));
  }

  @Test
  void anotherProtocolIsSaidInASentence() throws IOException {
    try (var server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      var thread = new Thread(() -> answer(server));
      thread.setDaemon(true);
      thread.start();
      var target = "127.0.0.1:" + server.getLocalPort();
      try (var client = Chitarrella.connect(target);
          var encrypted = Chitarrella.builder(target).tls().build()) {
        assertMistake("target", "does not speak gRPC", () -> client.game("briscola"));
        assertMistake("target", "does not speak TLS", () -> encrypted.game("briscola"));
      }
    }
  }

  private static void answer(ServerSocket server) {
    while (!server.isClosed()) {
      try (var caller = server.accept()) {
        caller
            .getOutputStream()
            .write(
                "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        caller.getInputStream().read(new byte[4096]);
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void keepOpen(StreamObserver<MatchUpdate> to, CountDownLatch ended) {
    ((ServerCallStreamObserver<MatchUpdate>) to).setOnCancelHandler(ended::countDown);
    to.onNext(FakeMatchService.update("1"));
  }

  @Test
  void aDroppedWatchEndsItsCall() throws IOException, InterruptedException {
    var left = new CountDownLatch(1);
    var dropped = new CountDownLatch(1);
    service.watches.add(to -> keepOpen(to, left));
    service.watches.add(to -> keepOpen(to, dropped));
    try (var client = service.connect(4)) {
      try (var watch = client.match("m", "").watch()) {
        assertEquals("1", watch.iterator().next().cursor());
      }
      assertTrue(left.await(5, TimeUnit.SECONDS));
      for (var update : client.match("m", "").watch()) {
        assertEquals("1", Objects.requireNonNull(update).cursor());
        break;
      }
      for (var tries = 0; tries < 100 && !dropped.await(50, TimeUnit.MILLISECONDS); tries++) {
        System.gc();
      }
      assertEquals(0, dropped.getCount());
    }
  }
}
