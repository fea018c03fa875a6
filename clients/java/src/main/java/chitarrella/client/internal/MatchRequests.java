package chitarrella.client.internal;

import chitarrella.client.NewMatch;
import chitarrella.client.PackSource;
import chitarrella.client.PlayOptions;
import chitarrella.client.answers.BotSeat;
import chitarrella.client.table.Agreement;
import chitarrella.client.table.Move;
import chitarrella.v1.Clock;
import chitarrella.v1.ContributeToDealRequest;
import chitarrella.v1.CreateMatchRequest;
import chitarrella.v1.ExplainMatchHandRequest;
import chitarrella.v1.GetMatchRequest;
import chitarrella.v1.ImportMatchRequest;
import chitarrella.v1.JudgeMoveRequest;
import chitarrella.v1.ListEventsRequest;
import chitarrella.v1.ListMatchMovesRequest;
import chitarrella.v1.PlayMoveRequest;
import chitarrella.v1.SeatBotRequest;
import chitarrella.v1.Share;
import chitarrella.v1.TakeBackRequest;
import chitarrella.v1.WatchMatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds requests about matches. */
public final class MatchRequests {
  private MatchRequests() {}

  /** Converts an agreement. */
  public static chitarrella.v1.Agreement agreement(Agreement agreement) {
    return chitarrella.v1.Agreement.newBuilder()
        .setGame(agreement.game())
        .setPlayers(agreement.players())
        .putAllOptions(agreement.options())
        .setEdition(agreement.edition())
        .build();
  }

  /** Converts a move. */
  public static chitarrella.v1.Move move(Move move) {
    var m =
        chitarrella.v1.Move.newBuilder()
            .setVerb(move.verb())
            .addAllCards(move.cards())
            .setWord(move.word());
    for (var share : move.shares()) {
      m.addShares(Share.newBuilder().setPerson(share.person()).setAmount(share.amount()));
    }
    if (move.amount() != null) {
      m.setAmount(move.amount());
    }
    if (move.seat() != null) {
      m.setSeat(move.seat());
    }
    return m.build();
  }

  /**
   * The request id, or a random one. It must be unguessable: repeating a creation with it returns
   * the keys of the match.
   */
  private static String requestIdOrRandom(String requestId) {
    return requestId.isEmpty() ? UUID.randomUUID().toString() : requestId;
  }

  private static chitarrella.v1.PackSource source(PackSource packs) {
    return switch (packs) {
      case SERVICE -> chitarrella.v1.PackSource.PACK_SOURCE_SERVICE;
      case REFEREE -> chitarrella.v1.PackSource.PACK_SOURCE_REFEREE;
      case SHARED -> chitarrella.v1.PackSource.PACK_SOURCE_SHARED;
    };
  }

  private static Clock clock(NewMatch.Clock clock) {
    return Clock.newBuilder()
        .setMoveSeconds((int) clock.move().toSeconds())
        .setBankSeconds((int) clock.bank().toSeconds())
        .build();
  }

  private static List<chitarrella.v1.BotSeat> bots(List<BotSeat> bots) {
    return bots.stream()
        .map(
            bot ->
                chitarrella.v1.BotSeat.newBuilder()
                    .setSeat(bot.seat())
                    .setBot(bot.bot())
                    .setThinkMs((int) bot.think().toMillis())
                    .build())
        .toList();
  }

  /** Creates a match. */
  public static CreateMatchRequest create(Agreement agreement, NewMatch how) {
    var m =
        CreateMatchRequest.newBuilder()
            .setAgreement(agreement(agreement))
            .setPackSource(source(how.packs()))
            .addAllPack(how.pack())
            .setPosition(how.position())
            .setExpiresAfterSeconds((int) how.expiresAfter().toSeconds())
            .setRequestId(requestIdOrRandom(how.requestId()))
            .setPrivate(how.isPrivate())
            .addAllBots(bots(how.bots()));
    if (how.clock() != null) {
      m.setClock(clock(how.clock()));
    }
    return m.build();
  }

  /** Creates a match from the first {@code moves} of a record; null for all. */
  public static ImportMatchRequest importMatch(
      String record, @Nullable Integer moves, NewMatch how) {
    var m =
        ImportMatchRequest.newBuilder()
            .setRecord(record)
            .setPackSource(source(how.packs()))
            .setExpiresAfterSeconds((int) how.expiresAfter().toSeconds())
            .setRequestId(requestIdOrRandom(how.requestId()))
            .setPrivate(how.isPrivate())
            .addAllBots(bots(how.bots()));
    if (moves != null) {
      m.setMoves(moves);
    }
    if (how.clock() != null) {
      m.setClock(clock(how.clock()));
    }
    return m.build();
  }

  /** Fetches a match. */
  public static GetMatchRequest look(SeatAccess access) {
    var m = GetMatchRequest.newBuilder().setMatch(access.match());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Lists legal moves. */
  public static ListMatchMovesRequest moves(SeatAccess access) {
    var m = ListMatchMovesRequest.newBuilder().setMatch(access.match());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Explains a hand. */
  public static ExplainMatchHandRequest hand(SeatAccess access) {
    var m = ExplainMatchHandRequest.newBuilder().setMatch(access.match());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Checks a move. */
  public static JudgeMoveRequest judge(SeatAccess access, Move move) {
    var m = JudgeMoveRequest.newBuilder().setMatch(access.match()).setMove(move(move));
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Plays a move. */
  public static PlayMoveRequest play(SeatAccess access, Move move, PlayOptions how) {
    var m =
        PlayMoveRequest.newBuilder()
            .setMatch(access.match())
            .setMove(move(move))
            .setRequestId(requestIdOrRandom(how.requestId()))
            .setWantView(how.wantView());
    if (how.expectedRevision() != null) {
      m.setExpectedRevision(how.expectedRevision());
    }
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Requests a takeback, or answers a request. */
  public static TakeBackRequest takeBack(SeatAccess access, boolean refuse, PlayOptions how) {
    var m =
        TakeBackRequest.newBuilder()
            .setMatch(access.match())
            .setRefuse(refuse)
            .setRequestId(requestIdOrRandom(how.requestId()));
    if (how.expectedRevision() != null) {
      m.setExpectedRevision(how.expectedRevision());
    }
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Lists the updates after a cursor. */
  public static ListEventsRequest events(SeatAccess access, String cursor) {
    var m = ListEventsRequest.newBuilder().setMatch(access.match()).setCursor(cursor);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Watches after a cursor. */
  public static WatchMatchRequest watch(SeatAccess access, String cursor) {
    var m = WatchMatchRequest.newBuilder().setMatch(access.match()).setCursor(cursor);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Adds a word to the awaited shuffle. */
  public static ContributeToDealRequest contribute(SeatAccess access, String word) {
    var m = dealNow(access).toBuilder().setWord(word);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Shuffles without waiting for more words. */
  public static ContributeToDealRequest dealNow(SeatAccess access) {
    return ContributeToDealRequest.newBuilder()
        .setMatch(access.match())
        .setRequestId(requestIdOrRandom(""))
        .build();
  }

  /** Assigns a seat to a bot, or back to a person. */
  public static SeatBotRequest seatBot(SeatAccess access, String bot, Duration think) {
    var m =
        SeatBotRequest.newBuilder()
            .setMatch(access.match())
            .setBot(bot)
            .setThinkMs((int) think.toMillis());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }
}
