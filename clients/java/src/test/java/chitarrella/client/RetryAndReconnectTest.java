// Cases that the scenarios do not reach: lost calls, streams that end early, codes of a newer
// service.
package chitarrella.client;

import static chitarrella.client.FakeMatchService.serviceError;
import static chitarrella.client.FakeMatchService.state;
import static chitarrella.client.FakeMatchService.update;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import chitarrella.client.answers.MatchAnswers.MatchUpdate;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.ChitarrellaException.StaleRevisionException;
import chitarrella.client.errors.ChitarrellaException.UnavailableException;
import chitarrella.client.errors.ErrorCode;
import chitarrella.client.table.Move;
import chitarrella.client.table.Refusal.RefusalCode;
import chitarrella.v1.MatchState;
import chitarrella.v1.PlayMoveResponse;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryAndReconnectTest {
  private final FakeMatchService service = new FakeMatchService();

  private ChitarrellaException failure(int retries) throws IOException {
    try (var client = service.connect(retries)) {
      var match = client.match("m", "key");
      return assertThrows(ChitarrellaException.class, () -> match.play(Move.of("play_card", "Ab")));
    }
  }

  @Test
  void aLostCallIsRetriedUnderTheSameRequestId() throws IOException {
    service.plays.add(to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    service.plays.add(to -> to.onError(serviceError(Status.Code.UNAVAILABLE, "store_down")));
    service.plays.add(
        to -> {
          to.onNext(PlayMoveResponse.newBuilder().setAccepted(true).build());
          to.onCompleted();
        });
    try (var client = service.connect(4)) {
      assertEquals(true, client.match("m", "key").play(Move.of("play_card", "Ab")).accepted());
    }
    assertEquals(3, service.requestIds.size());
    assertEquals(1, Set.copyOf(service.requestIds).size());
  }

  @Test
  void aCallThatStaysLostReportsItsRequestId() throws IOException {
    service.plays.add(to -> to.onError(Status.UNAVAILABLE.asRuntimeException()));
    var error = assertInstanceOf(UnavailableException.class, failure(1));
    assertEquals(ErrorCode.UNAVAILABLE, error.reason());
    assertEquals(List.of(error.requestId(), error.requestId()), service.requestIds);
  }

  @Test
  void anErrorOfTheServiceIsNotRetried() throws IOException {
    service.plays.add(to -> to.onError(serviceError(Status.Code.ABORTED, "stale_revision")));
    var error = assertInstanceOf(StaleRevisionException.class, failure(4));
    assertEquals(7, error.revision());
    assertEquals("match_id", error.field());
    assertEquals(1, service.requestIds.size());
  }

  @Test
  void aCodeOfANewerServiceIsOther() throws IOException {
    service.plays.add(
        to -> to.onError(serviceError(Status.Code.FAILED_PRECONDITION, "moon_is_full")));
    var error = failure(4);
    assertEquals(ErrorCode.OTHER, error.reason());
    assertEquals("moon_is_full", error.code());
    assertEquals(RefusalCode.OTHER, RefusalCode.of("moon_is_full"));
    assertEquals(RefusalCode.OTHER, RefusalCode.of("other"));
  }

  @Test
  void aWatchReconnectsUntilTheMatchIsFinished() throws IOException {
    service.watches.add(
        to -> {
          to.onNext(update("1"));
          to.onNext(chitarrella.v1.MatchUpdate.getDefaultInstance()); // a heartbeat
          to.onError(Status.UNAVAILABLE.asRuntimeException());
        });
    service.watches.add(
        to -> {
          to.onNext(update("2"));
          to.onCompleted(); // the service stops, the match goes on
        });
    service.watches.add(
        to -> {
          to.onNext(update("3"));
          to.onCompleted();
        });
    service.states.add(state("2", MatchState.MATCH_STATE_OPEN));
    service.states.add(state("3", MatchState.MATCH_STATE_FINISHED));
    try (var client = service.connect(4);
        var updates = client.match("m", "").watch().stream()) {
      assertEquals(List.of("1", "2", "3"), updates.map(MatchUpdate::cursor).toList());
    }
    assertEquals(List.of("", "1", "2"), service.cursors);
  }
}
