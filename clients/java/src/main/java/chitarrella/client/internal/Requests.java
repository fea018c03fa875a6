// Requests about matches and games out of arguments.
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

/** Writes requests about matches. */
public final class Requests {
  private Requests() {}

  /** Writes what is played. */
  public static chitarrella.v1.Agreement agreement(Agreement agreed) {
    return chitarrella.v1.Agreement.newBuilder()
        .setGame(agreed.game())
        .setPlayers(agreed.players())
        .putAllOptions(agreed.options())
        .setEdition(agreed.edition())
        .build();
  }

  /** Writes a move. */
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
   * Gives the request id, or makes one that nobody guesses: who knows it can have the keys of the
   * match.
   */
  private static String named(String requestId) {
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

  /** Asks for a match. */
  public static CreateMatchRequest create(Agreement agreement, NewMatch how) {
    var m =
        CreateMatchRequest.newBuilder()
            .setAgreement(agreement(agreement))
            .setPackSource(source(how.packs()))
            .addAllPack(how.pack())
            .setPosition(how.position())
            .setExpiresAfterSeconds((int) how.expiresAfter().toSeconds())
            .setRequestId(named(how.requestId()))
            .setPrivate(how.isPrivate())
            .addAllBots(bots(how.bots()));
    if (how.clock() != null) {
      m.setClock(clock(how.clock()));
    }
    return m.build();
  }

  /** Asks for a match from a record; {@code moves} of it are made, null for all. */
  public static ImportMatchRequest bring(String record, @Nullable Integer moves, NewMatch how) {
    var m =
        ImportMatchRequest.newBuilder()
            .setRecord(record)
            .setPackSource(source(how.packs()))
            .setExpiresAfterSeconds((int) how.expiresAfter().toSeconds())
            .setRequestId(named(how.requestId()))
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

  /** Asks to look. */
  public static GetMatchRequest look(Holder who) {
    var m = GetMatchRequest.newBuilder().setMatch(who.match());
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Asks what may be done. */
  public static ListMatchMovesRequest moves(Holder who) {
    var m = ListMatchMovesRequest.newBuilder().setMatch(who.match());
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Asks for a hand to be explained. */
  public static ExplainMatchHandRequest hand(Holder who) {
    var m = ExplainMatchHandRequest.newBuilder().setMatch(who.match());
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Asks for a verdict. */
  public static JudgeMoveRequest judge(Holder who, Move move) {
    var m = JudgeMoveRequest.newBuilder().setMatch(who.match()).setMove(move(move));
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Asks for a move to be made. */
  public static PlayMoveRequest play(Holder who, Move move, PlayOptions how) {
    var m =
        PlayMoveRequest.newBuilder()
            .setMatch(who.match())
            .setMove(move(move))
            .setRequestId(named(how.requestId()))
            .setWantView(how.wantView());
    if (how.expectedRevision() != null) {
      m.setExpectedRevision(how.expectedRevision());
    }
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Asks to take back, or answers. */
  public static TakeBackRequest takeBack(Holder who, boolean refuse, PlayOptions how) {
    var m =
        TakeBackRequest.newBuilder()
            .setMatch(who.match())
            .setRefuse(refuse)
            .setRequestId(named(how.requestId()));
    if (how.expectedRevision() != null) {
      m.setExpectedRevision(how.expectedRevision());
    }
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Asks what has happened. */
  public static ListEventsRequest events(Holder who, String cursor) {
    var m = ListEventsRequest.newBuilder().setMatch(who.match()).setCursor(cursor);
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Asks to follow. */
  public static WatchMatchRequest watch(Holder who, String cursor) {
    var m = WatchMatchRequest.newBuilder().setMatch(who.match()).setCursor(cursor);
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Adds a word to a shuffle. */
  public static ContributeToDealRequest contribute(Holder who, String word) {
    var m = dealNow(who).toBuilder().setWord(word);
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }

  /** Waits for no more words. */
  public static ContributeToDealRequest dealNow(Holder who) {
    return ContributeToDealRequest.newBuilder()
        .setMatch(who.match())
        .setRequestId(named(""))
        .build();
  }

  /** Gives a seat to a bot, or back. */
  public static SeatBotRequest seatBot(Holder who, String bot, Duration think) {
    var m =
        SeatBotRequest.newBuilder()
            .setMatch(who.match())
            .setBot(bot)
            .setThinkMs((int) think.toMillis());
    return (who.seat() == null ? m : m.setSeat(who.seat())).build();
  }
}
