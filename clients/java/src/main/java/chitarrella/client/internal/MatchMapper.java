package chitarrella.client.internal;

import chitarrella.client.answers.MatchAnswers.BotSeat;
import chitarrella.client.answers.MatchAnswers.ClientSeed;
import chitarrella.client.answers.MatchAnswers.ClockAdvance;
import chitarrella.client.answers.MatchAnswers.ClockResult;
import chitarrella.client.answers.MatchAnswers.MatchHand;
import chitarrella.client.answers.MatchAnswers.MatchMoveValidation;
import chitarrella.client.answers.MatchAnswers.MatchMoves;
import chitarrella.client.answers.MatchAnswers.MatchState;
import chitarrella.client.answers.MatchAnswers.MatchSummary;
import chitarrella.client.answers.MatchAnswers.MatchUpdate;
import chitarrella.client.answers.MatchAnswers.MoveResult;
import chitarrella.client.answers.MatchAnswers.PendingTakeback;
import chitarrella.client.answers.MatchAnswers.PlayerName;
import chitarrella.client.answers.MatchAnswers.SeedResult;
import chitarrella.client.answers.MatchAnswers.Shuffle;
import chitarrella.client.answers.MatchAnswers.Shuffles;
import chitarrella.client.answers.MatchAnswers.TakebackResult;
import chitarrella.v1.AdvanceClockResponse;
import chitarrella.v1.ContributeSeedResponse;
import chitarrella.v1.EnforceClockResponse;
import chitarrella.v1.ExplainMatchHandResponse;
import chitarrella.v1.GetMatchResponse;
import chitarrella.v1.ListMatchMovesResponse;
import chitarrella.v1.ListShufflesResponse;
import chitarrella.v1.MatchServiceValidateMoveResponse;
import chitarrella.v1.PlayMoveResponse;
import chitarrella.v1.TakeBackResponse;
import chitarrella.v1.WatchMatchResponse;
import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Converts responses about matches. */
public final class MatchMapper {
  private MatchMapper() {}

  /** Converts the state of a match. */
  public static MatchState matchState(GetMatchResponse m) {
    return new MatchState(
        m.getMatchId(),
        TableMapper.ruleSet(m.getRuleSet()),
        m.getRevision(),
        TableMapper.view(m.getView()),
        m.hasSeat() ? m.getSeat() : null,
        m.getAborted(),
        m.getCursor(),
        m.getNextCommitment(),
        List.copyOf(m.getAwaitingSeedsFromList()),
        m.hasDeadline() ? instant(m.getDeadline()) : null,
        m.getBankMsList().stream().map(Duration::ofMillis).toList(),
        m.hasTakebackRequest() ? pendingTakeback(m.getTakebackRequest()) : null,
        bots(m.getBotsList()),
        m.getExternalId(),
        Map.copyOf(m.getLabelsMap()),
        playerNames(m.getPlayerNamesList()),
        m.getSandbox());
  }

  private static List<PlayerName> playerNames(List<chitarrella.v1.PlayerName> names) {
    return names.stream().map(m -> new PlayerName(m.getSeat(), m.getName())).toList();
  }

  private static PendingTakeback pendingTakeback(chitarrella.v1.PendingTakeback m) {
    return new PendingTakeback(m.getSeat(), List.copyOf(m.getAwaitingAnswersFromList()));
  }

  static Instant instant(Timestamp m) {
    return Instant.ofEpochSecond(m.getSeconds(), m.getNanos());
  }

  /** Converts the seats played by bots. */
  public static List<BotSeat> bots(List<chitarrella.v1.BotSeat> bots) {
    return bots.stream()
        .map(m -> new BotSeat(m.getSeat(), m.getBot(), Duration.ofMillis(m.getThinkMs())))
        .toList();
  }

  /** Converts legal moves. */
  public static MatchMoves moves(ListMatchMovesResponse m) {
    return new MatchMoves(
        TableMapper.moves(m.getMovesList()), m.hasSeat() ? m.getSeat() : null, m.getRevision());
  }

  /** Converts an explained hand. */
  public static MatchHand hand(ExplainMatchHandResponse m) {
    return new MatchHand(
        TableMapper.explained(m.getMovesList()), m.hasSeat() ? m.getSeat() : null, m.getRevision());
  }

  /** Converts the validation of a move. */
  public static MatchMoveValidation moveValidation(MatchServiceValidateMoveResponse m) {
    return new MatchMoveValidation(
        m.getAccepted(), TableMapper.refusals(m.getRefusalsList()), m.getRevision());
  }

  /** Converts the result of a move. */
  public static MoveResult moveResult(PlayMoveResponse m) {
    return new MoveResult(
        m.getAccepted(),
        TableMapper.refusals(m.getRefusalsList()),
        m.getRevision(),
        TableMapper.events(m.getEventsList()),
        m.hasView() ? TableMapper.view(m.getView()) : null,
        m.getRepeatedRequest());
  }

  /** Converts an update. */
  public static MatchUpdate update(WatchMatchResponse m) {
    return new MatchUpdate(m.getRevision(), m.getCursor(), TableMapper.events(m.getEventsList()));
  }

  /** Converts the result of a takeback request. */
  public static TakebackResult takebackResult(TakeBackResponse m) {
    return new TakebackResult(
        m.getRevision(), m.getTakenBack(), List.copyOf(m.getAwaitingAnswersFromList()));
  }

  /** Converts the result of enforcing the clock. */
  public static ClockResult clockResult(EnforceClockResponse m) {
    return new ClockResult(
        m.getTimedOut(), m.getRevision(), m.hasDeadline() ? instant(m.getDeadline()) : null);
  }

  /** Converts the result of moving the clock of a test. */
  public static ClockAdvance clockAdvance(AdvanceClockResponse m) {
    return new ClockAdvance(instant(m.getTime()), m.getRevision(), m.getTimedOut());
  }

  /** Converts an entry of the list of matches. */
  public static MatchSummary summary(chitarrella.v1.MatchSummary m) {
    return new MatchSummary(
        m.getMatchId(),
        TableMapper.ruleSet(m.getRuleSet()),
        m.getRevision(),
        instant(m.getCreateTime()),
        m.getFinished(),
        m.getAborted(),
        m.getPrivate(),
        m.getExternalId(),
        Map.copyOf(m.getLabelsMap()),
        playerNames(m.getPlayerNamesList()),
        m.getSandbox());
  }

  /** Converts the result of adding a seed. */
  public static SeedResult seedResult(ContributeSeedResponse m) {
    return new SeedResult(m.getRevision(), List.copyOf(m.getAwaitingSeedsFromList()));
  }

  /** Converts the shuffles of a match. */
  public static Shuffles shuffles(ListShufflesResponse m) {
    return new Shuffles(
        m.getShufflesList().stream().map(MatchMapper::shuffle).toList(), m.getNextCommitment());
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
}
