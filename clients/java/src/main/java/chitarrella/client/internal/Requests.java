package chitarrella.client.internal;

import chitarrella.client.NewMatch;
import chitarrella.client.PlayOptions;
import chitarrella.client.Webhooks.WebhookChanges;
import chitarrella.client.answers.MatchAnswers.BotSeat;
import chitarrella.client.answers.MatchAnswers.Shuffle;
import chitarrella.client.answers.Positions.AnyPosition;
import chitarrella.client.answers.Positions.PartialPosition;
import chitarrella.client.answers.Positions.PartialTrick;
import chitarrella.client.answers.Positions.Position;
import chitarrella.client.answers.Positions.SeatMove;
import chitarrella.client.answers.WebhookAnswers.DeliveryState;
import chitarrella.client.table.Move;
import chitarrella.client.table.RuleSet;
import chitarrella.v1.AddTimeRequest;
import chitarrella.v1.AdvanceClockRequest;
import chitarrella.v1.ApplyMovesRequest;
import chitarrella.v1.AssignBotRequest;
import chitarrella.v1.ClientSeed;
import chitarrella.v1.Clock;
import chitarrella.v1.ContributeSeedRequest;
import chitarrella.v1.CreateMatchRequest;
import chitarrella.v1.CreateWebhookRequest;
import chitarrella.v1.ExplainHandRequest;
import chitarrella.v1.ExplainMatchHandRequest;
import chitarrella.v1.GetMatchRequest;
import chitarrella.v1.GetViewRequest;
import chitarrella.v1.ImportMatchRequest;
import chitarrella.v1.JoinMatchRequest;
import chitarrella.v1.ListDeliveriesRequest;
import chitarrella.v1.ListEventsRequest;
import chitarrella.v1.ListLegalMovesRequest;
import chitarrella.v1.ListMatchMovesRequest;
import chitarrella.v1.PauseClockRequest;
import chitarrella.v1.PlayMoveRequest;
import chitarrella.v1.PlayerName;
import chitarrella.v1.ResignMatchRequest;
import chitarrella.v1.ResolveTrickRequest;
import chitarrella.v1.RotateKeyRequest;
import chitarrella.v1.Sandbox;
import chitarrella.v1.ScoreCardsRequest;
import chitarrella.v1.SeatCards;
import chitarrella.v1.Share;
import chitarrella.v1.TakeBackRequest;
import chitarrella.v1.UpdateWebhookRequest;
import chitarrella.v1.ValidateMatchMoveRequest;
import chitarrella.v1.ValidateMoveRequest;
import chitarrella.v1.VerifyShuffleRequest;
import chitarrella.v1.WatchMatchRequest;
import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds requests about matches, platforms and positions; what is null is left out. */
public final class Requests {
  private Requests() {}

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
    if (move.dummySeat() != null) {
      m.setDummySeat(move.dummySeat());
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

  /** Converts a duration. */
  public static com.google.protobuf.Duration duration(Duration time) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(time.getSeconds())
        .setNanos(time.getNano())
        .build();
  }

  /** Converts a time. */
  public static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  private static void setUnlessZero(Duration time, Consumer<com.google.protobuf.Duration> set) {
    if (!time.isZero()) {
      set.accept(duration(time));
    }
  }

  private static Clock clock(NewMatch.Clock clock) {
    var m = Clock.newBuilder().setStartsWhenJoined(clock.startsWhenJoined());
    setUnlessZero(clock.moveTime(), m::setMoveTime);
    setUnlessZero(clock.bank(), m::setBank);
    setUnlessZero(clock.increment(), m::setIncrement);
    return m.build();
  }

  private static chitarrella.v1.BotSeat bot(BotSeat bot) {
    var m = chitarrella.v1.BotSeat.newBuilder().setSeat(bot.seat()).setBot(bot.bot());
    setUnlessZero(bot.thinkTime(), m::setThinkTime);
    setUnlessZero(bot.delay(), m::setDelay);
    return m.build();
  }

  /** Names a player. */
  public static PlayerName playerName(int seat, String name) {
    return PlayerName.newBuilder().setSeat(seat).setName(name).build();
  }

  private static CreateMatchRequest.Builder newMatch(NewMatch how) {
    var m =
        CreateMatchRequest.newBuilder()
            .setPackSourceValue(how.packSource().ordinal())
            .setRequestId(requestIdOrRandom(how.requestId()))
            .setPrivate(how.isPrivate())
            .setExternalId(how.externalId())
            .putAllLabels(how.labels());
    setUnlessZero(how.expireAfter(), m::setExpireAfter);
    how.bots().forEach(one -> m.addBots(bot(one)));
    how.playerNames().forEach((seat, name) -> m.addPlayerNames(playerName(seat, name)));
    how.restrictions().forEach(one -> m.addRestrictionsValue(one.ordinal()));
    if (how.sandbox() != null) {
      m.setSandbox(Sandbox.newBuilder().setSeed(how.sandbox()));
    }
    if (how.clock() != null) {
      m.setClock(clock(how.clock()));
    }
    return m;
  }

  /** Creates a match. */
  public static CreateMatchRequest create(RuleSet ruleSet, NewMatch how) {
    return newMatch(how)
        .setRuleSet(ruleSet(ruleSet))
        .addAllPack(how.pack())
        .setPosition(how.position())
        .build();
  }

  /** Creates a match from the first {@code moveCount} moves of a record; null for all. */
  public static ImportMatchRequest importMatch(
      String record, @Nullable Integer moveCount, NewMatch how) {
    var m = ImportMatchRequest.newBuilder().setRecord(record);
    var type = m.getDescriptorForType();
    newMatch(how)
        .getAllFields()
        .forEach((field, value) -> m.setField(type.findFieldByName(field.getName()), value));
    return (moveCount == null ? m : m.setMoveCount(moveCount)).build();
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
  public static ExplainMatchHandRequest explainHand(SeatAccess access, boolean suggest) {
    var m = ExplainMatchHandRequest.newBuilder().setMatchId(access.matchId()).setSuggest(suggest);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Validates a move. */
  public static ValidateMatchMoveRequest validateMove(SeatAccess access, Move move) {
    var m = ValidateMatchMoveRequest.newBuilder().setMatchId(access.matchId()).setMove(move(move));
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
    var m = ListEventsRequest.newBuilder().setMatchId(access.matchId()).setPageToken(cursor);
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
  public static AssignBotRequest assignBot(
      SeatAccess access, String bot, Duration think, Duration delay) {
    var m = AssignBotRequest.newBuilder().setMatchId(access.matchId()).setBot(bot);
    setUnlessZero(think, m::setThinkTime);
    setUnlessZero(delay, m::setDelay);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Says that a player is there. */
  public static JoinMatchRequest join(SeatAccess access, String playerName) {
    var m = JoinMatchRequest.newBuilder().setMatchId(access.matchId()).setPlayerName(playerName);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Gives up. */
  public static ResignMatchRequest resign(SeatAccess access) {
    var m = ResignMatchRequest.newBuilder().setMatchId(access.matchId());
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Asks for a pause of the clock, or for its end. */
  public static PauseClockRequest pauseClock(SeatAccess access, boolean resume) {
    var m = PauseClockRequest.newBuilder().setMatchId(access.matchId()).setResume(resume);
    return (access.seat() == null ? m : m.setSeat(access.seat())).build();
  }

  /** Adds time to the bank of a seat. */
  public static AddTimeRequest addTime(SeatAccess access, int seat, Duration by, String requestId) {
    return AddTimeRequest.newBuilder()
        .setMatchId(access.matchId())
        .setSeat(seat)
        .setDuration(duration(by))
        .setRequestId(requestIdOrRandom(requestId))
        .build();
  }

  /** Replaces the key of a seat; null for the key in use. */
  public static RotateKeyRequest rotateKey(
      SeatAccess access, @Nullable Integer seat, String requestId) {
    var m =
        RotateKeyRequest.newBuilder()
            .setMatchId(access.matchId())
            .setRequestId(Requests.requestIdOrRandom(requestId));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Moves the clock of a test. */
  public static AdvanceClockRequest advanceClock(SeatAccess access, Duration by, String requestId) {
    return AdvanceClockRequest.newBuilder()
        .setMatchId(access.matchId())
        .setDuration(duration(by))
        .setRequestId(Requests.requestIdOrRandom(requestId))
        .build();
  }

  /** Creates a webhook. */
  public static CreateWebhookRequest createWebhook(
      String url, List<String> eventTypes, String requestId) {
    return CreateWebhookRequest.newBuilder()
        .setUrl(url)
        .addAllEventTypes(eventTypes)
        .setRequestId(Requests.requestIdOrRandom(requestId))
        .build();
  }

  /** Changes a webhook. */
  public static UpdateWebhookRequest updateWebhook(String webhookId, WebhookChanges changes) {
    var m = UpdateWebhookRequest.newBuilder().setWebhookId(webhookId);
    setIfKnown(changes.url(), m::setUrl);
    setIfKnown(changes.disabled(), m::setDisabled);
    return m.addAllEventTypes(changes.eventTypes()).build();
  }

  /** Lists a page of the deliveries in a state; null for any. */
  public static ListDeliveriesRequest deliveries(
      String webhookId, @Nullable DeliveryState state, String pageToken) {
    var m = ListDeliveriesRequest.newBuilder().setWebhookId(webhookId).setPageToken(pageToken);
    return (state == null ? m : m.setStateValue(state.ordinal())).build();
  }

  private static chitarrella.v1.Position position(Position position) {
    return chitarrella.v1.Position.newBuilder()
        .setRuleSet(Requests.ruleSet(position.ruleSet()))
        .setText(position.text())
        .build();
  }

  private static chitarrella.v1.PartialPosition position(PartialPosition position) {
    var m =
        chitarrella.v1.PartialPosition.newBuilder()
            .setRuleSet(Requests.ruleSet(position.ruleSet()));
    position.hands().forEach((seat, cards) -> m.addHands(seatCards(seat, cards)));
    setIfKnown(position.trick(), trick -> m.setTrick(trick(trick)));
    setIfKnown(position.trump(), m::setTrump);
    setIfKnown(position.trumpCard(), m::setTrumpCard);
    setIfKnown(position.stockSize(), m::setStockSize);
    return m.addAllDealtIn(position.dealtIn()).build();
  }

  private static SeatCards seatCards(int seat, List<String> cards) {
    return SeatCards.newBuilder().setSeat(seat).addAllCards(cards).build();
  }

  private static chitarrella.v1.PartialTrick trick(PartialTrick trick) {
    var m = chitarrella.v1.PartialTrick.newBuilder().addAllCards(trick.cards());
    setIfKnown(trick.leader(), m::setLeader);
    setIfKnown(trick.declaredSuit(), m::setDeclaredSuit);
    return m.build();
  }

  private static <T> void setIfKnown(@Nullable T value, Consumer<T> set) {
    if (value != null) {
      set.accept(value);
    }
  }

  /** Sets the field for a position, or the one for a partial position; neither for null. */
  private static void setPosition(
      @Nullable AnyPosition position,
      Consumer<chitarrella.v1.Position> set,
      Consumer<chitarrella.v1.PartialPosition> setPartial) {
    if (position instanceof PartialPosition partial) {
      setPartial.accept(position(partial));
    } else if (position instanceof Position whole) {
      set.accept(position(whole));
    }
  }

  /** Lists legal moves; null for the seat to move. */
  public static ListLegalMovesRequest legalMoves(
      @Nullable AnyPosition position, @Nullable Integer seat) {
    var m = ListLegalMovesRequest.newBuilder();
    setPosition(position, m::setPosition, m::setPartialPosition);
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Explains a hand; null for the seat to move. */
  public static ExplainHandRequest explainHand(
      @Nullable AnyPosition position, @Nullable Integer seat) {
    var m = ExplainHandRequest.newBuilder();
    setPosition(position, m::setPosition, m::setPartialPosition);
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Validates a move; null for chance, or for the only hand of a partial position. */
  public static ValidateMoveRequest validateMove(
      @Nullable AnyPosition position, Move move, @Nullable Integer seat) {
    var m = ValidateMoveRequest.newBuilder().setMove(Requests.move(move));
    setPosition(position, m::setPosition, m::setPartialPosition);
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Plays moves. */
  public static ApplyMovesRequest applyMoves(@Nullable Position position, List<SeatMove> moves) {
    var m = ApplyMovesRequest.newBuilder();
    setIfKnown(position, whole -> m.setPosition(position(whole)));
    for (var one : moves) {
      var made = chitarrella.v1.SeatMove.newBuilder().setMove(Requests.move(one.move()));
      m.addMoves(one.seat() == null ? made : made.setSeat(one.seat()));
    }
    return m.build();
  }

  /** The view of a seat; null for the public. */
  public static GetViewRequest getView(@Nullable Position position, @Nullable Integer seat) {
    var m = GetViewRequest.newBuilder();
    setIfKnown(position, whole -> m.setPosition(position(whole)));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** The view of the referee. */
  public static GetViewRequest getViewAsReferee(@Nullable Position position) {
    return getView(position, null).toBuilder().setReferee(true).build();
  }

  /** Which card takes a trick; trump and trump card are empty for none, null if unknown. */
  public static ResolveTrickRequest resolveTrick(
      RuleSet ruleSet, List<String> cards, @Nullable String trump, @Nullable String trumpCard) {
    var m =
        ResolveTrickRequest.newBuilder().setRuleSet(Requests.ruleSet(ruleSet)).addAllCards(cards);
    setIfKnown(trump, m::setTrump);
    setIfKnown(trumpCard, m::setTrumpCard);
    return m.build();
  }

  /** What cards count; trump is empty for none, null if unknown. */
  public static ScoreCardsRequest scoreCards(
      RuleSet ruleSet, List<String> cards, @Nullable String trump) {
    var m = ScoreCardsRequest.newBuilder().setRuleSet(Requests.ruleSet(ruleSet)).addAllCards(cards);
    setIfKnown(trump, m::setTrump);
    return m.build();
  }

  /** Verifies a shuffle. */
  public static VerifyShuffleRequest verifyShuffle(String gameId, Shuffle shuffle) {
    var m =
        VerifyShuffleRequest.newBuilder()
            .setGameId(gameId)
            .setCommitment(shuffle.commitment())
            .setNonce(shuffle.nonce())
            .setNumber(shuffle.number())
            .addAllCards(shuffle.cards())
            .addAllLots(shuffle.lots());
    for (var one : shuffle.clientSeeds()) {
      m.addClientSeeds(ClientSeed.newBuilder().setSeat(one.seat()).setSeed(one.seed()));
    }
    return (shuffle.amount() == null ? m : m.setAmount(shuffle.amount())).build();
  }
}
