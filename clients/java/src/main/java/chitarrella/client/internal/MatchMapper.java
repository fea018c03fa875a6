package chitarrella.client.internal;

import chitarrella.client.answers.AskedBack;
import chitarrella.client.answers.Awaited;
import chitarrella.client.answers.BotSeat;
import chitarrella.client.answers.Contribution;
import chitarrella.client.answers.Draw;
import chitarrella.client.answers.Draws;
import chitarrella.client.answers.MatchHand;
import chitarrella.client.answers.MatchMoves;
import chitarrella.client.answers.MatchSummary;
import chitarrella.client.answers.MatchVerdict;
import chitarrella.client.answers.Played;
import chitarrella.client.answers.Ruling;
import chitarrella.client.answers.Seen;
import chitarrella.client.answers.TakenBack;
import chitarrella.client.answers.Told;
import chitarrella.v1.ContributeToDealResponse;
import chitarrella.v1.ExplainMatchHandResponse;
import chitarrella.v1.GetMatchResponse;
import chitarrella.v1.JudgeMoveResponse;
import chitarrella.v1.ListDrawsResponse;
import chitarrella.v1.ListMatchMovesResponse;
import chitarrella.v1.PlayMoveResponse;
import chitarrella.v1.RuleOnTimeResponse;
import chitarrella.v1.TakeBackResponse;
import chitarrella.v1.WatchMatchResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Converts responses about matches. */
public final class MatchMapper {
  private MatchMapper() {}

  /** Converts the state of a match. */
  public static Seen seen(GetMatchResponse m) {
    return new Seen(
        m.getMatch(),
        TableMapper.agreement(m.getAgreement()),
        m.getRevision(),
        TableMapper.view(m.getView()),
        m.hasSeat() ? m.getSeat() : null,
        m.getEnded(),
        m.getCursor(),
        m.getNextCommitment(),
        List.copyOf(m.getWordsAwaitedList()),
        m.hasDeadlineMs() ? Instant.ofEpochMilli(m.getDeadlineMs()) : null,
        m.getBankMsList().stream().map(Duration::ofMillis).toList(),
        m.hasAskedBack() ? askedBack(m.getAskedBack()) : null,
        bots(m.getBotsList()));
  }

  private static AskedBack askedBack(chitarrella.v1.AskedBack m) {
    return new AskedBack(m.getSeat(), List.copyOf(m.getAwaitedList()));
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

  /** Converts a verdict. */
  public static MatchVerdict verdict(JudgeMoveResponse m) {
    return new MatchVerdict(
        m.getAccepted(), TableMapper.refusals(m.getRefusalsList()), m.getRevision());
  }

  /** Converts the result of a move. */
  public static Played played(PlayMoveResponse m) {
    return new Played(
        m.getAccepted(),
        TableMapper.refusals(m.getRefusalsList()),
        m.getRevision(),
        TableMapper.events(m.getEventsList()),
        m.hasView() ? TableMapper.view(m.getView()) : null,
        m.getRepeatedRequest());
  }

  /** Converts an update. */
  public static Told update(WatchMatchResponse m) {
    return new Told(m.getRevision(), m.getCursor(), TableMapper.events(m.getEventsList()));
  }

  /** Converts the result of a takeback request. */
  public static TakenBack takenBack(TakeBackResponse m) {
    return new TakenBack(m.getRevision(), m.getTakenBack(), List.copyOf(m.getAwaitedList()));
  }

  /** Converts the result of enforcing the clock. */
  public static Ruling ruling(RuleOnTimeResponse m) {
    return new Ruling(
        m.getRuled(),
        m.getRevision(),
        m.hasDeadlineMs() ? Instant.ofEpochMilli(m.getDeadlineMs()) : null);
  }

  /** Converts an entry of the list of matches. */
  public static MatchSummary summary(chitarrella.v1.MatchSummary m) {
    return new MatchSummary(
        m.getMatch(),
        TableMapper.agreement(m.getAgreement()),
        m.getRevision(),
        Instant.ofEpochSecond(Integer.toUnsignedLong(m.getOpenedAt())),
        m.getOver(),
        m.getEnded(),
        m.getPrivate());
  }

  /** Converts the result of a contribution. */
  public static Awaited awaited(ContributeToDealResponse m) {
    return new Awaited(m.getRevision(), List.copyOf(m.getWordsAwaitedList()));
  }

  /** Converts the draws of a match. */
  public static Draws draws(ListDrawsResponse m) {
    return new Draws(
        m.getDrawsList().stream().map(MatchMapper::draw).toList(), m.getNextCommitment());
  }

  private static Draw draw(chitarrella.v1.Draw m) {
    return new Draw(
        m.getNumber(),
        m.getRevision(),
        m.getVerb(),
        m.getHandedIn(),
        m.getCommitment(),
        m.getWordsList().stream().map(w -> new Contribution(w.getSeat(), w.getWord())).toList(),
        m.getNonce(),
        List.copyOf(m.getCardsList()),
        m.hasAmount() ? m.getAmount() : null,
        List.copyOf(m.getLotsList()));
  }
}
