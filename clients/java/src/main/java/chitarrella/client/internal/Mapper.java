package chitarrella.client.internal;

import chitarrella.client.NewMatch.Clock;
import chitarrella.client.NewMatch.PackSource;
import chitarrella.client.NewMatch.Restriction;
import chitarrella.client.answers.MatchAnswers.BotSeat;
import chitarrella.client.answers.MatchAnswers.ClientSeed;
import chitarrella.client.answers.MatchAnswers.ClockAdvance;
import chitarrella.client.answers.MatchAnswers.ClockResult;
import chitarrella.client.answers.MatchAnswers.MatchDetails;
import chitarrella.client.answers.MatchAnswers.MatchHand;
import chitarrella.client.answers.MatchAnswers.MatchMoveValidation;
import chitarrella.client.answers.MatchAnswers.MatchMoves;
import chitarrella.client.answers.MatchAnswers.MatchResult;
import chitarrella.client.answers.MatchAnswers.MatchSeat;
import chitarrella.client.answers.MatchAnswers.MatchState;
import chitarrella.client.answers.MatchAnswers.MatchUpdate;
import chitarrella.client.answers.MatchAnswers.MoveResult;
import chitarrella.client.answers.MatchAnswers.PendingTakeback;
import chitarrella.client.answers.MatchAnswers.PlatformUpdate;
import chitarrella.client.answers.MatchAnswers.Shuffle;
import chitarrella.client.answers.MatchAnswers.Shuffles;
import chitarrella.client.answers.MatchAnswers.TakebackResult;
import chitarrella.client.answers.WebhookAnswers.CreatedWebhook;
import chitarrella.client.answers.WebhookAnswers.Delivery;
import chitarrella.client.answers.WebhookAnswers.DeliveryState;
import chitarrella.client.answers.WebhookAnswers.Webhook;
import chitarrella.client.table.Event;
import chitarrella.client.table.Move;
import chitarrella.client.table.Move.Share;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.Refusal.Clause;
import chitarrella.client.table.Refusal.ExplainedMove;
import chitarrella.client.table.Refusal.Verdict;
import chitarrella.client.table.RuleSet;
import chitarrella.client.table.View;
import chitarrella.client.table.View.Ending;
import chitarrella.client.table.View.Fact;
import chitarrella.client.table.View.FactValue;
import chitarrella.client.table.View.Outcome;
import chitarrella.client.table.View.Waiting;
import chitarrella.client.table.View.Zone;
import chitarrella.v1.AdvanceClockResponse;
import chitarrella.v1.BatchGetMatchesResponse;
import chitarrella.v1.CreateWebhookResponse;
import chitarrella.v1.EnforceClockResponse;
import chitarrella.v1.ExplainMatchHandResponse;
import chitarrella.v1.ListMatchMovesResponse;
import chitarrella.v1.ListShufflesResponse;
import chitarrella.v1.ListWebhooksResponse;
import chitarrella.v1.Match;
import chitarrella.v1.PlayMoveResponse;
import chitarrella.v1.TakeBackResponse;
import chitarrella.v1.ValidateMatchMoveResponse;
import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Converts the value types, and responses about matches and platforms. */
public final class Mapper {
  private Mapper() {}

  /**
   * The constant for the number of a value of the contract: these have the order of the numbers,
   * and begin with the one for values of a newer service.
   */
  static <E extends Enum<E>> E known(int number, E[] values) {
    return values[number > 0 && number < values.length ? number : 0];
  }

  /** Converts a rule set. */
  public static RuleSet ruleSet(chitarrella.v1.RuleSet m) {
    return new RuleSet(m.getGameId(), m.getPlayers(), m.getOptionsMap(), m.getEdition());
  }

  /** Converts moves. */
  public static List<Move> moves(List<chitarrella.v1.Move> moves) {
    return moves.stream().map(Mapper::move).toList();
  }

  private static Move move(chitarrella.v1.Move m) {
    return new Move(
        m.getVerb(),
        List.copyOf(m.getCardsList()),
        m.getChoice(),
        m.hasAmount() ? m.getAmount() : null,
        m.hasDummySeat() ? m.getDummySeat() : null,
        shares(m.getSharesList()));
  }

  private static List<Share> shares(List<chitarrella.v1.Share> shares) {
    return shares.stream().map(m -> new Share(m.getPerson(), m.getAmount())).toList();
  }

  /** Converts events. */
  public static List<Event> events(List<chitarrella.v1.Event> events) {
    return events.stream().map(Mapper::event).toList();
  }

  private static Event event(chitarrella.v1.Event m) {
    return new Event(
        m.getKind(),
        m.hasSeat() ? m.getSeat() : null,
        List.copyOf(m.getCardsList()),
        m.getHidden(),
        m.getWord(),
        m.hasAmount() ? m.getAmount() : null,
        m.hasOther() ? m.getOther() : null,
        shares(m.getSharesList()));
  }

  /** Reads a table. */
  public static View view(chitarrella.v1.View m) {
    return new View(
        m.getPhase(),
        known(m.getWaitingValue(), Waiting.values()),
        m.hasTurn() ? m.getTurn() : null,
        m.getZonesList().stream().map(Mapper::zone).toList(),
        m.getFactsList().stream().map(Mapper::fact).toList(),
        List.copyOf(m.getScoresList()),
        m.hasOutcome() ? outcome(m.getOutcome()) : null);
  }

  private static Outcome outcome(chitarrella.v1.Outcome m) {
    return new Outcome(List.copyOf(m.getWinnersList()), known(m.getEndingValue(), Ending.values()));
  }

  private static Zone zone(chitarrella.v1.Zone m) {
    return new Zone(
        m.getName(),
        m.hasSeat() ? m.getSeat() : null,
        List.copyOf(m.getCardsList()),
        m.getSize(),
        m.hasLeader() ? m.getLeader() : null);
  }

  private static Fact fact(chitarrella.v1.Fact m) {
    FactValue value =
        switch (m.getValueCase()) {
          case NUMBER -> new FactValue.Number(m.getNumber());
          case MONEY -> new FactValue.Number(m.getMoney());
          case SHARES -> new FactValue.Shares(shares(m.getShares().getSharesList()));
          default -> new FactValue.Word(m.getWord());
        };
    return new Fact(m.getName(), m.hasSeat() ? m.getSeat() : null, value);
  }

  /** Reads a sentence of the rule book. */
  public static Clause clause(chitarrella.v1.Clause m) {
    return new Clause(m.getKey(), m.getText(), m.getSource());
  }

  /** Reads why a move is refused. */
  public static List<Refusal> refusals(List<chitarrella.v1.Refusal> refusals) {
    return refusals.stream().map(Mapper::refusal).toList();
  }

  private static Refusal refusal(chitarrella.v1.Refusal m) {
    return new Refusal(
        m.getCode(),
        clause(m.getClause()),
        m.getMessage(),
        List.copyOf(m.getAllowedCardsList()),
        List.copyOf(m.getOffendingCardsList()),
        m.getWord(),
        m.hasAmount() ? m.getAmount() : null,
        m.getPenalty(),
        m.getPagePath(),
        m.getUndecided());
  }

  /** Reads what a seat might do. */
  public static List<ExplainedMove> explained(List<chitarrella.v1.ExplainedMove> moves) {
    return moves.stream()
        .map(
            m ->
                new ExplainedMove(
                    move(m.getMove()),
                    known(m.getVerdictValue(), Verdict.values()),
                    refusals(m.getRefusalsList()),
                    List.copyOf(m.getDependsOnList())))
        .toList();
  }

  /** Converts a match. */
  public static MatchDetails match(Match m) {
    return new MatchDetails(
        m.getMatchId(),
        Mapper.ruleSet(m.getRuleSet()),
        known(m.getStateValue(), MatchState.values()),
        m.getRevision(),
        instant(m.getCreateTime()),
        instant(m.getUpdateTime()),
        instant(m.getExpireTime()),
        m.getPrivate(),
        m.getSandbox(),
        m.getImported(),
        known(m.getPackSourceValue(), PackSource.values()),
        m.hasClock() ? clock(m.getClock()) : null,
        m.hasDeadline() ? instant(m.getDeadline()) : null,
        m.getSeatsList().stream().map(Mapper::seat).toList(),
        List.copyOf(m.getScoresList()),
        m.hasOutcome() ? outcome(m.getOutcome()) : null,
        m.hasEndTime() ? instant(m.getEndTime()) : null,
        m.getEndReason(),
        m.getRestrictionsValueList().stream().map(one -> known(one, Restriction.values())).toList(),
        m.getClockPaused(),
        List.copyOf(m.getPauseRequestedByList()),
        m.getExternalId(),
        Map.copyOf(m.getLabelsMap()),
        m.getNextCommitment(),
        List.copyOf(m.getAwaitingSeedsFromList()),
        m.hasTakebackRequest() ? pendingTakeback(m.getTakebackRequest()) : null,
        Mapper.view(m.getView()),
        m.hasViewer() ? m.getViewer() : null,
        m.getCursor());
  }

  private static Clock clock(chitarrella.v1.Clock m) {
    return new Clock(
        duration(m.getMoveTime()),
        duration(m.getBank()),
        duration(m.getIncrement()),
        m.getStartsWhenJoined());
  }

  private static MatchSeat seat(chitarrella.v1.MatchSeat m) {
    return new MatchSeat(
        m.getSeat(),
        m.getPlayerName(),
        m.hasBot() ? bot(m.getBot()) : null,
        m.hasPlayedBy() ? m.getPlayedBy() : null,
        m.hasBank() ? duration(m.getBank()) : null,
        m.getJoined(),
        m.getResigned(),
        m.getPresent(),
        m.hasLastSeenTime() ? instant(m.getLastSeenTime()) : null);
  }

  private static PendingTakeback pendingTakeback(chitarrella.v1.PendingTakeback m) {
    return new PendingTakeback(m.getSeat(), List.copyOf(m.getAwaitingAnswersFromList()));
  }

  static Instant instant(Timestamp m) {
    return Instant.ofEpochSecond(m.getSeconds(), m.getNanos());
  }

  private static Duration duration(com.google.protobuf.Duration m) {
    return Duration.ofSeconds(m.getSeconds(), m.getNanos());
  }

  private static BotSeat bot(chitarrella.v1.BotSeat m) {
    return new BotSeat(m.getSeat(), m.getBot(), duration(m.getThinkTime()), duration(m.getDelay()));
  }

  /** Converts legal moves. */
  public static MatchMoves moves(ListMatchMovesResponse m) {
    return new MatchMoves(
        Mapper.moves(m.getMovesList()), m.hasSeat() ? m.getSeat() : null, m.getRevision());
  }

  /** Converts an explained hand. */
  public static MatchHand hand(ExplainMatchHandResponse m) {
    return new MatchHand(
        Mapper.explained(m.getMovesList()),
        m.hasSeat() ? m.getSeat() : null,
        m.getRevision(),
        m.hasSuggested() ? m.getSuggested() : null,
        m.hasSuggestedPoints() ? m.getSuggestedPoints() : null);
  }

  /** Converts the validation of a move. */
  public static MatchMoveValidation moveValidation(ValidateMatchMoveResponse m) {
    return new MatchMoveValidation(
        known(m.getVerdictValue(), Verdict.values()),
        Mapper.refusals(m.getRefusalsList()),
        m.getRevision());
  }

  /** Converts the result of a move. */
  public static MoveResult moveResult(PlayMoveResponse m) {
    return new MoveResult(
        m.getAccepted(),
        Mapper.refusals(m.getRefusalsList()),
        m.getRevision(),
        Mapper.events(m.getEventsList()),
        m.hasView() ? Mapper.view(m.getView()) : null,
        m.getRepeatedRequest());
  }

  /** Converts an update. */
  public static MatchUpdate update(chitarrella.v1.MatchUpdate m) {
    return new MatchUpdate(
        m.getRevision(),
        m.getCursor(),
        Mapper.events(m.getEventsList()),
        m.hasTime() ? instant(m.getTime()) : null,
        m.hasThinkTime() ? duration(m.getThinkTime()) : null,
        m.hasDeadline() ? instant(m.getDeadline()) : null,
        m.getBanksList().stream().map(Mapper::duration).toList());
  }

  /** Converts the result of a takeback request. */
  public static TakebackResult takebackResult(TakeBackResponse m) {
    return new TakebackResult(m.getTakenBack(), match(m.getMatch()));
  }

  /** Converts the result of enforcing the clock. */
  public static ClockResult clockResult(EnforceClockResponse m) {
    return new ClockResult(m.getTimedOut(), match(m.getMatch()));
  }

  /** Converts the result of moving the clock of a test. */
  public static ClockAdvance clockAdvance(AdvanceClockResponse m) {
    return new ClockAdvance(instant(m.getTime()), m.getTimedOut(), match(m.getMatch()));
  }

  /** Converts the shuffles of a match. */
  public static Shuffles shuffles(ListShufflesResponse m) {
    return new Shuffles(
        m.getShufflesList().stream().map(Mapper::shuffle).toList(), m.getNextCommitment());
  }

  private static Shuffle shuffle(chitarrella.v1.Shuffle m) {
    return new Shuffle(
        m.getNumber(),
        m.getRevision(),
        m.getVerb(),
        m.getSupplied(),
        m.getCommitment(),
        m.getClientSeedsList().stream()
            .map(one -> new ClientSeed(one.getSeat(), one.getSeed()))
            .toList(),
        m.getNonce(),
        List.copyOf(m.getCardsList()),
        m.hasAmount() ? m.getAmount() : null,
        List.copyOf(m.getLotsList()));
  }

  /** Converts the results for many matches. */
  public static List<MatchResult> results(BatchGetMatchesResponse m) {
    return m.getResultsList().stream()
        .map(
            one ->
                one.hasError()
                    ? new MatchResult(null, ErrorMapper.map(one.getError()))
                    : new MatchResult(match(one.getMatch()), null))
        .toList();
  }

  /** Converts an update of one of the matches of a platform. */
  public static PlatformUpdate update(chitarrella.v1.PlatformUpdate m) {
    return new PlatformUpdate(
        m.getMatchId(),
        m.hasUpdate() ? Mapper.update(m.getUpdate()) : null,
        known(m.getStateValue(), MatchState.values()));
  }

  /** Converts a webhook. */
  public static Webhook webhook(chitarrella.v1.Webhook m) {
    return new Webhook(
        m.getWebhookId(),
        m.getUrl(),
        m.hasCreateTime() ? Mapper.instant(m.getCreateTime()) : null,
        m.getDisabled(),
        m.getConfigured(),
        List.copyOf(m.getEventTypesList()));
  }

  /** Converts a list of webhooks. */
  public static List<Webhook> webhooks(ListWebhooksResponse m) {
    return m.getWebhooksList().stream().map(Mapper::webhook).toList();
  }

  /** Converts a new webhook. */
  public static CreatedWebhook createdWebhook(CreateWebhookResponse m) {
    return new CreatedWebhook(webhook(m.getWebhook()), m.getSecret());
  }

  /** Converts a delivery. */
  public static Delivery delivery(chitarrella.v1.Delivery m) {
    return new Delivery(
        m.getDeliveryId(),
        m.getMessageId(),
        m.getType(),
        m.getMatchId(),
        known(m.getStateValue(), DeliveryState.values()),
        m.getAttempts(),
        m.hasLastAttemptTime() ? Mapper.instant(m.getLastAttemptTime()) : null,
        m.getStatusCode(),
        m.getError());
  }
}
