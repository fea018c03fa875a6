// What a platform and its players do with a match besides its moves: each call, and what it
// returns.
package chitarrella.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import chitarrella.client.NewMatch.Clock;
import chitarrella.client.NewMatch.PackSource;
import chitarrella.client.NewMatch.Restriction;
import chitarrella.client.answers.MatchAnswers.BotSeat;
import chitarrella.client.answers.MatchAnswers.MatchDetails;
import chitarrella.client.answers.MatchAnswers.MatchSeat;
import chitarrella.client.answers.MatchAnswers.MatchState;
import chitarrella.client.table.RuleSet;
import chitarrella.client.table.View.Ending;
import chitarrella.client.table.View.Outcome;
import chitarrella.v1.CreateMatchRequest;
import chitarrella.v1.CreatedMatch;
import chitarrella.v1.ListMatchesRequest;
import chitarrella.v1.ListMatchesResponse;
import chitarrella.v1.Match;
import chitarrella.v1.MatchServiceGrpc;
import chitarrella.v1.SeatKey;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.TextFormat.ParseException;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManagedMatchTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Match MATCH =
      parsed(
          Match.newBuilder(),
          "match_id: 'm' state: MATCH_STATE_FINISHED pack_source: PACK_SOURCE_SHARED"
              + " clock { bank { seconds: 60 } starts_when_joined: true } clock_paused: true"
              + " seats { player_name: 'Anna' bank { nanos: 500000000 } joined: true present: true }"
              + " seats { seat: 1 resigned: true last_seen_time {}"
              + " bot { seat: 1 bot: 'greedy' delay { seconds: 60 } } }"
              + " seats { seat: 2 played_by: 0 } outcome { winners: 0 ending: ENDING_RESIGNED }"
              + " end_time { seconds: 60 } end_reason: 'enough' restrictions: RESTRICTION_NO_BOTS"
              + " restrictions: 99 pause_requested_by: 0 viewer: 0");

  private final List<Message> requests = new ArrayList<>();

  @SuppressWarnings("unchecked") // the builder of a message makes a message of its type
  private static <M extends Message> M parsed(Message.Builder into, String text) {
    try {
      TextFormat.merge(text, into);
    } catch (ParseException wrong) {
      throw new IllegalArgumentException(wrong);
    }
    return (M) into.build();
  }

  /** A service that keeps each request, and returns the response of its type. */
  private Chitarrella connect() throws IOException {
    var created =
        CreatedMatch.newBuilder()
            .setMatch(MATCH)
            .setRefereeKey("referee")
            .addSeatKeys(SeatKey.newBuilder().setKey("first"))
            .setSpectatorKey("onlooker")
            .build();
    var service = ServerServiceDefinition.builder(MatchServiceGrpc.getServiceDescriptor());
    for (var method : MatchServiceGrpc.getServiceDescriptor().getMethods()) {
      @SuppressWarnings("unchecked") // the service takes and returns messages only
      var typed = (MethodDescriptor<Message, Message>) method;
      service.addMethod(
          typed,
          ServerCalls.asyncUnaryCall(
              (request, to) -> {
                requests.add(request);
                to.onNext(
                    request instanceof CreateMatchRequest
                        ? created
                        : request instanceof ListMatchesRequest
                            ? ListMatchesResponse.newBuilder().addMatches(MATCH).build()
                            : MATCH);
                to.onCompleted();
              }));
    }
    var name = "managed" + hashCode();
    InProcessServerBuilder.forName(name).addService(service.build()).build().start();
    ManagedChannel channel = InProcessChannelBuilder.forName(name).build();
    return Chitarrella.builder("fake").channel(channel).apiKey("platform").build();
  }

  private void received(String... texts) {
    var made = new ArrayList<Message>();
    for (var at = 0; at < requests.size(); at++) {
      made.add(parsed(requests.get(at).newBuilderForType(), texts[at]));
    }
    assertEquals(made, requests);
    assertEquals(texts.length, requests.size());
  }

  @Test
  void eachCallReturnsTheMatch() throws IOException {
    try (var client = connect()) {
      var match = client.match("m", "referee");
      var seat = match.asSeat(1);
      var changes = MatchChanges.NONE.withExternalId("").withLabel("cup", "").withPlayer(0, "Ugo");
      var returned =
          List.of(
              seat.join("Anna"),
              seat.resign(),
              match.decide(List.of(0, 2), "walkover"),
              match.update(changes.withExpireAfter(MINUTE)),
              match.pauseClock(),
              seat.resumeClock(),
              match.addTime(1, MINUTE, "mine"),
              match.abort("storm"),
              seat.assignBot("greedy", Duration.ofMillis(1500), MINUTE));
      assertEquals(1, returned.stream().distinct().count());
      received(
          "match_id: 'm' seat: 1 player_name: 'Anna'",
          "match_id: 'm' seat: 1",
          "match_id: 'm' winners: [0, 2] reason: 'walkover'",
          "match_id: 'm' external_id: '' labels { key: 'cup' value: '' } expire_after { seconds: 60 }"
              + " player_names { seat: 0 name: 'Ugo' }",
          "match_id: 'm'",
          "match_id: 'm' seat: 1 resume: true",
          "match_id: 'm' seat: 1 duration { seconds: 60 } request_id: 'mine'",
          "match_id: 'm' reason: 'storm'",
          "match_id: 'm' seat: 1 bot: 'greedy' think_time { seconds: 1 nanos: 500000000 }"
              + " delay { seconds: 60 }");
    }
  }

  @Test
  void aMatchHasItsDetails() throws IOException {
    try (var client = connect()) {
      MatchDetails match = client.match("m", "").get();
      assertEquals(MatchState.FINISHED, match.state());
      assertEquals(PackSource.SHARED, match.packSource());
      assertEquals(new Clock(Duration.ZERO, MINUTE, Duration.ZERO, true), match.clock());
      var bot = new BotSeat(1, "greedy", Duration.ZERO, MINUTE);
      assertEquals(
          List.of(
              new MatchSeat(0, "Anna", null, null, Duration.ofMillis(500), true, false, true, null),
              new MatchSeat(1, "", bot, null, null, false, true, false, Instant.EPOCH),
              new MatchSeat(2, "", null, 0, null, false, false, false, null)),
          match.seats());
      assertEquals(new Outcome(List.of(0), Ending.RESIGNED), match.outcome());
      assertEquals(Instant.ofEpochSecond(60), match.endTime());
      assertEquals(List.of(Restriction.NO_BOTS, Restriction.UNKNOWN), match.restrictions());
    }
  }

  @Test
  void matchesAreFilteredAndCreated() throws IOException {
    try (var client = connect()) {
      var filter =
          MatchFilter.ALL
              .withExternalId("t-1")
              .withLabel("cup", "spring")
              .withPlayerName("Anna")
              .withWinnerName("Ugo")
              .withState(MatchState.FINISHED)
              .withGame("briscola")
              .createdAfter(Instant.ofEpochSecond(60))
              .endedAfter(Instant.ofEpochSecond(61))
              .ascending();
      assertEquals(1, client.matches(filter).filter(MatchDetails::over).count());
      var how =
          NewMatch.builder()
              .requestId("mine")
              .clock(new Clock(Duration.ZERO, MINUTE, Duration.ofSeconds(1), true))
              .expireAfter(MINUTE)
              .bot(new BotSeat(1, "easy", Duration.ZERO, MINUTE))
              .restriction(Restriction.NO_TAKEBACKS);
      var created = client.createMatch(RuleSet.of("briscola"), how.build());
      received(
          "external_id: 't-1' labels: 'cup=spring' player_name: 'Anna' winner_name: 'Ugo'"
              + " state: MATCH_STATE_FINISHED game_id: 'briscola' created_after { seconds: 60 }"
              + " ended_after { seconds: 61 } ascending: true",
          "rule_set { game_id: 'briscola' } pack_source: PACK_SOURCE_SERVICE request_id: 'mine'"
              + " clock { bank { seconds: 60 } increment { seconds: 1 } starts_when_joined: true }"
              + " expire_after { seconds: 60 } restrictions: RESTRICTION_NO_TAKEBACKS"
              + " bots { seat: 1 bot: 'easy' delay { seconds: 60 } }");
      assertEquals("onlooker", created.asSeat(0).spectatorKey());
      for (var thing : List.of(client, created, created.asSeat(0), created.get())) {
        for (var key : List.of("referee", "first", "onlooker", "platform")) {
          assertFalse(thing.toString().contains(key), thing.toString());
        }
      }
    }
  }
}
