package chitarrella.client.answers;

import chitarrella.client.NewMatch.Clock;
import chitarrella.client.NewMatch.PackSource;
import chitarrella.client.NewMatch.Restriction;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.table.Event;
import chitarrella.client.table.Move;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.Refusal.ExplainedMove;
import chitarrella.client.table.Refusal.Verdict;
import chitarrella.client.table.RuleSet;
import chitarrella.client.table.View;
import chitarrella.client.table.View.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What there is to know of matches. */
public final class MatchAnswers {
  private MatchAnswers() {}

  /**
   * A match as visible to one viewer.
   *
   * @param matchId the id of the match
   * @param ruleSet its rule set
   * @param state whether it is going on
   * @param revision the number of its last public change
   * @param createTime when it was created
   * @param updateTime when it last changed
   * @param expireTime when it will be deleted if nothing changes before
   * @param isPrivate whether it is hidden from everybody without a key
   * @param sandbox whether it is a test
   * @param imported whether its first moves come from a record
   * @param packSource who supplies packs and lots
   * @param clock the time of the seats; null for no limit
   * @param deadline of the seat to move, or of the awaited seeds; null if no clock runs
   * @param seats the seats, in order
   * @param scores the score by seat
   * @param outcome how it ended; null while it goes on, and if it was aborted
   * @param endTime when it ended, also by an abortion; null while it goes on
   * @param endReason why it was decided or aborted; empty for no words
   * @param restrictions what is not allowed here
   * @param clockPaused whether the clock stands still
   * @param pauseRequestedBy the seats that have asked for the pause, or for its end
   * @param externalId the platform's own id of the match; only for the referee and that platform
   * @param labels the labels of the match; only for the referee and its platform
   * @param nextCommitment the commitment to the next shuffle; empty if the referee supplies packs
   * @param awaitingSeedsFrom the seats whose seeds the next shuffle awaits
   * @param takebackRequest the pending takeback request; null for none
   * @param view the view of the table; an empty one in a list of matches
   * @param viewer the seat whose view it is; null for the public and the referee
   * @param cursor to watch from here; empty in a list of matches
   */
  public record MatchDetails(
      String matchId,
      RuleSet ruleSet,
      MatchState state,
      int revision,
      Instant createTime,
      Instant updateTime,
      Instant expireTime,
      boolean isPrivate,
      boolean sandbox,
      boolean imported,
      PackSource packSource,
      @Nullable Clock clock,
      @Nullable Instant deadline,
      List<MatchSeat> seats,
      List<Integer> scores,
      @Nullable Outcome outcome,
      @Nullable Instant endTime,
      String endReason,
      List<Restriction> restrictions,
      boolean clockPaused,
      List<Integer> pauseRequestedBy,
      String externalId,
      Map<String, String> labels,
      String nextCommitment,
      List<Integer> awaitingSeedsFrom,
      @Nullable PendingTakeback takebackRequest,
      View view,
      @Nullable Integer viewer,
      String cursor) {

    /** Whether the match is finished or aborted. */
    public boolean over() {
      return state == MatchState.FINISHED || state == MatchState.ABORTED;
    }
  }

  /** Whether a match is going on. */
  public enum MatchState {
    /** A value of a newer service. */
    UNKNOWN,
    /** It goes on. */
    OPEN,
    /** It came to its end. */
    FINISHED,
    /** It was aborted. */
    ABORTED
  }

  /**
   * A seat of a match.
   *
   * @param seat its number
   * @param playerName the name of the player, which is personal data; empty if none was given
   * @param bot the bot that plays it; null for a person
   * @param playedBy the seat of the person who plays it; null unless it is a dummy
   * @param bank what is left in its bank; null without a clock
   * @param joined whether it has joined
   * @param resigned whether it has resigned
   * @param present whether its person has a stream open, or has called within 30 seconds
   * @param lastSeenTime when its person was last there; null for one who is or never was
   */
  public record MatchSeat(
      int seat,
      String playerName,
      @Nullable BotSeat bot,
      @Nullable Integer playedBy,
      @Nullable Duration bank,
      boolean joined,
      boolean resigned,
      boolean present,
      @Nullable Instant lastSeenTime) {}

  /**
   * A request to take back the last decision.
   *
   * @param seat the seat that made the decision and the request
   * @param awaitingAnswersFrom the seats that have not answered yet
   */
  public record PendingTakeback(int seat, List<Integer> awaitingAnswersFrom) {}

  /**
   * A seat played by a bot.
   *
   * @param seat the seat
   * @param bot the bot: "easy", "normal", "strong" or "random"
   * @param thinkTime its time for a move; zero for the service's default
   * @param delay how long after the last decision it moves at the earliest
   */
  public record BotSeat(int seat, String bot, Duration thinkTime, Duration delay) {
    /** Without a delay. */
    public BotSeat(int seat, String bot, Duration thinkTime) {
      this(seat, bot, thinkTime, Duration.ZERO);
    }
  }

  /**
   * The result for one match of a batch.
   *
   * @param match the match; null if there is an error
   * @param error what the call about this match alone would throw; null if it is found
   */
  public record MatchResult(@Nullable MatchDetails match, @Nullable ChitarrellaException error) {

    /**
     * The match.
     *
     * @throws ChitarrellaException if there is an error
     */
    public MatchDetails get() {
      if (error != null) {
        throw error;
      }
      if (match == null) {
        throw new IllegalStateException("neither a match nor an error");
      }
      return match;
    }
  }

  /**
   * The legal moves in a match.
   *
   * @param moves the legal moves; empty if it is not the seat's turn
   * @param seat the seat to move; null if none is
   * @param revision of the match
   */
  public record MatchMoves(List<Move> moves, @Nullable Integer seat, int revision) {}

  /**
   * The explained hand of a seat in a match.
   *
   * @param moves the moves, legal or not
   * @param seat the seat whose hand this is
   * @param revision of the match
   * @param suggested the index of the suggested move; null for none
   * @param suggestedPoints what it brings until the seat is to move again; null for none
   */
  public record MatchHand(
      List<ExplainedMove> moves,
      @Nullable Integer seat,
      int revision,
      @Nullable Integer suggested,
      @Nullable Integer suggestedPoints) {}

  /**
   * The result of validating a move in a match.
   *
   * @param verdict whether it would be accepted
   * @param refusals every clause it breaks
   * @param revision of the match
   */
  public record MatchMoveValidation(Verdict verdict, List<Refusal> refusals, int revision) {}

  /**
   * The result of a move.
   *
   * @param accepted whether it was played
   * @param refusals every clause it breaks; if it was accepted, breaches that stand but are
   *     penalised
   * @param revision the revision after it
   * @param events the events, as visible to the mover
   * @param view the view after it, if requested
   * @param repeatedRequest whether the request id was used before: the first result is returned,
   *     nothing was played again
   */
  public record MoveResult(
      boolean accepted,
      List<Refusal> refusals,
      int revision,
      List<Event> events,
      @Nullable View view,
      boolean repeatedRequest) {}

  /**
   * An update: the visible events of one move.
   *
   * @param revision after the move
   * @param cursor to resume behind it
   * @param events the visible events
   * @param time when it happened; null if the service does not say
   * @param thinkTime how long the seat to move took for its decision; null if this is none
   * @param deadline in the last update of a match with a clock, as in {@link MatchDetails}
   * @param banks in the last update of a match with a clock, what is left in the bank of each seat
   */
  public record MatchUpdate(
      int revision,
      String cursor,
      List<Event> events,
      @Nullable Instant time,
      @Nullable Duration thinkTime,
      @Nullable Instant deadline,
      List<Duration> banks) {}

  /**
   * An update of one of the matches of a platform, or a heartbeat.
   *
   * @param matchId its id; empty for a heartbeat
   * @param update the events of one move, as the public sees them; null if the match was aborted,
   *     and for a heartbeat
   * @param state the state of the match after it
   */
  public record PlatformUpdate(String matchId, @Nullable MatchUpdate update, MatchState state) {

    /** Whether it only says that the stream is alive. */
    public boolean heartbeat() {
      return matchId.isEmpty();
    }
  }

  /**
   * A shuffle of a pack, or a lot; {@link chitarrella.client.Fairness} verifies it.
   *
   * @param number counts the shuffles and lots of the match from 1
   * @param revision the revision after it
   * @param verb the verb of its move
   * @param supplied whether it was supplied, by the referee or with the match, so that there is no
   *     proof
   * @param commitment published before the shuffle, in hexadecimal digits
   * @param clientSeeds the seeds of the seats, in the order of seats
   * @param nonce empty as long as it would reveal hidden cards
   * @param cards the shuffled pack; empty as long as it would reveal hidden cards
   * @param amount the lot; null for a pack
   * @param lots the possible lots
   */
  public record Shuffle(
      int number,
      int revision,
      String verb,
      boolean supplied,
      String commitment,
      List<ClientSeed> clientSeeds,
      String nonce,
      List<String> cards,
      @Nullable Integer amount,
      List<Integer> lots) {}

  /**
   * A seed that a seat has added to a shuffle.
   *
   * @param seat the seat
   * @param seed its seed
   */
  public record ClientSeed(int seat, String seed) {}

  /**
   * The shuffles of a match.
   *
   * @param shuffles in order
   * @param nextCommitment the commitment to the next one; empty if the referee supplies packs
   */
  public record Shuffles(List<Shuffle> shuffles, String nextCommitment) {}

  /**
   * The result of a takeback request.
   *
   * @param takenBack whether the decision was taken back
   * @param match the match after it
   */
  public record TakebackResult(boolean takenBack, MatchDetails match) {}

  /**
   * The result of enforcing the clock.
   *
   * @param timedOut whether the time was used up, so that a move was played or a shuffle made
   * @param match the match after it
   */
  public record ClockResult(boolean timedOut, MatchDetails match) {}

  /**
   * The result of moving the clock of a test.
   *
   * @param time the time of the match now
   * @param timedOut whether a deadline was passed, so that a move was played or a shuffle made
   * @param match the match after it
   */
  public record ClockAdvance(Instant time, boolean timedOut, MatchDetails match) {}
}
