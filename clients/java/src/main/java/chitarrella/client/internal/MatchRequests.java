package chitarrella.client.internal;

import chitarrella.client.NewMatch;
import chitarrella.client.NewMatch.PackSource;
import chitarrella.client.PlayOptions;
import chitarrella.client.answers.MatchAnswers.BotSeat;
import chitarrella.client.table.Move;
import chitarrella.client.table.RuleSet;
import chitarrella.v1.AssignBotRequest;
import chitarrella.v1.Clock;
import chitarrella.v1.ContributeSeedRequest;
import chitarrella.v1.CreateMatchRequest;
import chitarrella.v1.ExplainMatchHandRequest;
import chitarrella.v1.GetMatchRequest;
import chitarrella.v1.ImportMatchRequest;
import chitarrella.v1.ListEventsRequest;
import chitarrella.v1.ListMatchMovesRequest;
import chitarrella.v1.MatchServiceValidateMoveRequest;
import chitarrella.v1.PlayMoveRequest;
import chitarrella.v1.PlayerName;
import chitarrella.v1.Sandbox;
import chitarrella.v1.Share;
import chitarrella.v1.TakeBackRequest;
import chitarrella.v1.WatchMatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds requests about matches. */
public final class MatchRequests {
  private MatchRequests() {}

  /** Converts a rule set. */
  public static chitarrella.v1.RuleSet ruleSet(RuleSet ruleSet) {
    return chitarrella.v1.RuleSet.newBuilder()
        .setGameId(ruleSet.gameId())
        .setPlayers(ruleSet.players())
        .putAllOptions(ruleSet.options())
        .setEdition(ruleSet.edition())
        .build();
  }

  /** Converts a move. */
  public static chitarrella.v1.Move move(Move move) {
    var m =
        chitarrella.v1.Move.newBuilder()
            .setVerb(move.verb())
            .addAllCards(move.cards())
            .setChoice(move.choice());
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
  static String requestIdOrRandom(String requestId) {
    return requestId.isEmpty() ? UUID.randomUUID().toString() : requestId;
  }

  private static chitarrella.v1.PackSource packSource(PackSource packSource) {
    return switch (packSource) {
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

  private static List<PlayerName> playerNames(Map<Integer, String> names) {
    return names.entrySet().stream()
        .map(one -> PlayerName.newBuilder().setSeat(one.getKey()).setName(one.getValue()).build())
        .toList();
  }

  /** Creates a match. */
  public static CreateMatchRequest create(RuleSet ruleSet, NewMatch how) {
    var m =
        CreateMatchRequest.newBuilder()
            .setRuleSet(ruleSet(ruleSet))
            .setPackSource(packSource(how.packSource()))
            .addAllPack(how.pack())
            .setPosition(how.position())
            .setExpiresAfterSeconds((int) how.expiresAfter().toSeconds())
            .setRequestId(requestIdOrRandom(how.requestId()))
            .setPrivate(how.isPrivate())
            .addAllBots(bots(how.bots()))
            .setExternalId(how.externalId())
            .putAllLabels(how.labels())
            .addAllPlayerNames(playerNames(how.playerNames()));
    if (how.sandbox() != null) {
      m.setSandbox(Sandbox.newBuilder().setSeed(how.sandbox()));
    }
    if (how.clock() != null) {
      m.setClock(clock(how.clock()));
    }
    return m.build();
  }

  /** Creates a match from the first {@code moveCount} moves of a record; null for all. */
  public static ImportMatchRequest importMatch(
      String record, @Nullable Integer moveCount, NewMatch how) {
    var m =
        ImportMatchRequest.newBuilder()
            .setRecord(record)
            .setPackSource(packSource(how.packSource()))
            .setExpiresAfterSeconds((int) how.expiresAfter().toSeconds())
            .setRequestId(requestIdOrRandom(how.requestId()))
            .setPrivate(how.isPrivate())
            .addAllBots(bots(how.bots()))
            .setExternalId(how.externalId())
            .putAllLabels(how.labels())
            .addAllPlayerNames(playerNames(how.playerNames()));
    if (how.sandbox() != null) {
      m.setSandbox(Sandbox.newBuilder().setSeed(how.sandbox()));
    }
    if (moveCount != null) {
      m.setMoveCount(moveCount);
    }
    if (how.clock() != null) {
      m.setClock(clock(how.clock()));
    }
    return m.build();
  }

  /** Fetches a match. */
  public static GetMatchRequest get(SeatAccess access) {
    var m = GetMatchRequest.newBuilder().setMatchId(access.matchId());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Lists legal moves. */
  public static ListMatchMovesRequest legalMoves(SeatAccess access) {
    var m = ListMatchMovesRequest.newBuilder().setMatchId(access.matchId());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Explains a hand. */
  public static ExplainMatchHandRequest explainHand(SeatAccess access) {
    var m = ExplainMatchHandRequest.newBuilder().setMatchId(access.matchId());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Validates a move. */
  public static MatchServiceValidateMoveRequest validateMove(SeatAccess access, Move move) {
    var m =
        MatchServiceValidateMoveRequest.newBuilder()
            .setMatchId(access.matchId())
            .setMove(move(move));
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Plays a move. */
  public static PlayMoveRequest play(SeatAccess access, Move move, PlayOptions how) {
    var m =
        PlayMoveRequest.newBuilder()
            .setMatchId(access.matchId())
            .setMove(move(move))
            .setRequestId(requestIdOrRandom(how.requestId()))
            .setIncludeView(how.includeView());
    if (how.expectedRevision() != null) {
      m.setExpectedRevision(how.expectedRevision());
    }
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Requests a takeback, or answers a request. */
  public static TakeBackRequest takeBack(SeatAccess access, boolean decline, PlayOptions how) {
    var m =
        TakeBackRequest.newBuilder()
            .setMatchId(access.matchId())
            .setDecline(decline)
            .setRequestId(requestIdOrRandom(how.requestId()));
    if (how.expectedRevision() != null) {
      m.setExpectedRevision(how.expectedRevision());
    }
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Lists the updates after a cursor. */
  public static ListEventsRequest events(SeatAccess access, String cursor) {
    var m = ListEventsRequest.newBuilder().setMatchId(access.matchId()).setCursor(cursor);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Watches after a cursor. */
  public static WatchMatchRequest watch(SeatAccess access, String cursor) {
    var m = WatchMatchRequest.newBuilder().setMatchId(access.matchId()).setCursor(cursor);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Adds a seed to the awaited shuffle. */
  public static ContributeSeedRequest contributeSeed(SeatAccess access, String seed) {
    var m = shuffleNow(access).toBuilder().setClientSeed(seed);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Shuffles without waiting for more seeds. */
  public static ContributeSeedRequest shuffleNow(SeatAccess access) {
    return ContributeSeedRequest.newBuilder()
        .setMatchId(access.matchId())
        .setRequestId(requestIdOrRandom(""))
        .build();
  }

  /** Assigns a seat to a bot, or back to a person. */
  public static AssignBotRequest assignBot(SeatAccess access, String bot, Duration think) {
    var m =
        AssignBotRequest.newBuilder()
            .setMatchId(access.matchId())
            .setBot(bot)
            .setThinkMs((int) think.toMillis());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }
}
