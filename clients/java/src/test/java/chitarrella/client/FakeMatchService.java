// A service with scripted responses, for failures that a live one does not have on request.
package chitarrella.client;

import chitarrella.v1.Event;
import chitarrella.v1.GetMatchRequest;
import chitarrella.v1.Match;
import chitarrella.v1.MatchServiceGrpc;
import chitarrella.v1.MatchState;
import chitarrella.v1.MatchUpdate;
import chitarrella.v1.PlayMoveRequest;
import chitarrella.v1.PlayMoveResponse;
import chitarrella.v1.WatchMatchRequest;
import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Handles each call with the next action of a list; the last one is repeated. */
final class FakeMatchService extends MatchServiceGrpc.MatchServiceImplBase {
  final List<String> requestIds = new ArrayList<>();
  final List<String> cursors = new ArrayList<>();
  final Deque<Consumer<StreamObserver<PlayMoveResponse>>> plays = new ArrayDeque<>();
  final Deque<Consumer<StreamObserver<MatchUpdate>>> watches = new ArrayDeque<>();
  final Deque<Match> states = new ArrayDeque<>();

  Chitarrella connect(int retries) throws IOException {
    InProcessServerBuilder.forName("fake" + hashCode()).addService(this).build().start();
    var channel = InProcessChannelBuilder.forName("fake" + hashCode()).build();
    return Chitarrella.builder("fake").channel(channel).retries(retries).build();
  }

  private static <T> T next(Deque<T> list) {
    return list.size() > 1 ? list.remove() : list.element();
  }

  @Override
  public void playMove(PlayMoveRequest request, StreamObserver<PlayMoveResponse> to) {
    requestIds.add(request.getRequestId());
    next(plays).accept(to);
  }

  @Override
  public void watchMatch(WatchMatchRequest request, StreamObserver<MatchUpdate> to) {
    cursors.add(request.getCursor());
    next(watches).accept(to);
  }

  @Override
  public void getMatch(GetMatchRequest request, StreamObserver<Match> to) {
    to.onNext(next(states));
    to.onCompleted();
  }

  static MatchUpdate update(String cursor) {
    var event = Event.newBuilder().setKind("card_played");
    return MatchUpdate.newBuilder().setCursor(cursor).addEvents(event).build();
  }

  static Match state(String cursor, MatchState state) {
    return Match.newBuilder().setCursor(cursor).setState(state).build();
  }

  /** An error as the service sends it. */
  static RuntimeException serviceError(io.grpc.Status.Code status, String code) {
    var info = ErrorInfo.newBuilder().setDomain("chitarrella").setReason(code);
    info.putMetadata("field", "match_id").putMetadata("revision", "7");
    return StatusProto.toStatusRuntimeException(
        Status.newBuilder().setCode(status.value()).addDetails(Any.pack(info.build())).build());
  }
}
