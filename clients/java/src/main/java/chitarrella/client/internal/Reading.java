// Values out of messages: the nouns of the table, and matches.
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

/** Reads what is answered about matches. */
public final class Reading {
  private Reading() {}

  /** Reads what those eyes see. */
  public static Seen seen(GetMatchResponse m) {
    return new Seen(
        m.getMatch(),
        TableReading.agreement(m.getAgreement()),
        m.getRevision(),
        TableReading.view(m.getView()),
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

  /** Reads which seats bots play. */
  public static List<BotSeat> bots(List<chitarrella.v1.BotSeat> bots) {
    return bots.stream()
        .map(m -> new BotSeat(m.getSeat(), m.getBot(), Duration.ofMillis(m.getThinkMs())))
        .toList();
  }

  /** Reads what may be done. */
  public static MatchMoves moves(ListMatchMovesResponse m) {
    return new MatchMoves(
        TableReading.moves(m.getMovesList()), m.hasSeat() ? m.getSeat() : null, m.getRevision());
  }

  /** Reads a hand explained. */
  public static MatchHand hand(ExplainMatchHandResponse m) {
    return new MatchHand(
        TableReading.explained(m.getMovesList()),
        m.hasSeat() ? m.getSeat() : null,
        m.getRevision());
  }

  /** Reads a verdict. */
  public static MatchVerdict verdict(JudgeMoveResponse m) {
    return new MatchVerdict(
        m.getAccepted(), TableReading.refusals(m.getRefusalsList()), m.getRevision());
  }

  /** Reads what came of a move. */
  public static Played played(PlayMoveResponse m) {
    return new Played(
        m.getAccepted(),
        TableReading.refusals(m.getRefusalsList()),
        m.getRevision(),
        TableReading.events(m.getEventsList()),
        m.hasView() ? TableReading.view(m.getView()) : null,
        m.getRepeatedRequest());
  }

  /** Reads what happened in one move. */
  public static Told told(WatchMatchResponse m) {
    return new Told(m.getRevision(), m.getCursor(), TableReading.events(m.getEventsList()));
  }

  /** Reads what came of an ask to take back. */
  public static TakenBack takenBack(TakeBackResponse m) {
    return new TakenBack(m.getRevision(), m.getTakenBack(), List.copyOf(m.getAwaitedList()));
  }

  /** Reads a ruling on time. */
  public static Ruling ruling(RuleOnTimeResponse m) {
    return new Ruling(
        m.getRuled(),
        m.getRevision(),
        m.hasDeadlineMs() ? Instant.ofEpochMilli(m.getDeadlineMs()) : null);
  }

  /** Reads a match in one line. */
  public static MatchSummary summary(chitarrella.v1.MatchSummary m) {
    return new MatchSummary(
        m.getMatch(),
        TableReading.agreement(m.getAgreement()),
        m.getRevision(),
        Instant.ofEpochSecond(Integer.toUnsignedLong(m.getOpenedAt())),
        m.getOver(),
        m.getEnded(),
        m.getPrivate());
  }

  /** Reads what came of a word for the shuffle. */
  public static Awaited awaited(ContributeToDealResponse m) {
    return new Awaited(m.getRevision(), List.copyOf(m.getWordsAwaitedList()));
  }

  /** Reads the draws of a match. */
  public static Draws draws(ListDrawsResponse m) {
    return new Draws(m.getDrawsList().stream().map(Reading::draw).toList(), m.getNextCommitment());
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
