// A match that the service keeps, with the eyes and the hand of one key.
package chitarrella.client;

import chitarrella.client.answers.Awaited;
import chitarrella.client.answers.BotSeat;
import chitarrella.client.answers.Draws;
import chitarrella.client.answers.MatchHand;
import chitarrella.client.answers.MatchMoves;
import chitarrella.client.answers.MatchVerdict;
import chitarrella.client.answers.Played;
import chitarrella.client.answers.Ruling;
import chitarrella.client.answers.Seen;
import chitarrella.client.answers.TakenBack;
import chitarrella.client.answers.Told;
import chitarrella.client.errors.RefusedException;
import chitarrella.client.internal.Following;
import chitarrella.client.internal.Holder;
import chitarrella.client.internal.Reading;
import chitarrella.client.internal.Requests;
import chitarrella.client.table.Move;
import chitarrella.v1.DeleteMatchRequest;
import chitarrella.v1.EndMatchRequest;
import chitarrella.v1.EndMatchResponse;
import chitarrella.v1.GetRecordRequest;
import chitarrella.v1.GetRecordResponse;
import chitarrella.v1.ListDrawsRequest;
import chitarrella.v1.ListEventsResponse;
import chitarrella.v1.MatchServiceGrpc;
import chitarrella.v1.RuleOnTimeRequest;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A match. The key says who asks: a seat, the referee, or, without one, the public. */
public final class Match {
  private final Line line;
  private final Holder who;

  Match(Line line, Holder who) {
    this.line = line;
    this.who = who;
  }

  /** The name of the match. */
  public String id() {
    return who.match();
  }

  /** The key it is bound to; of a match that was just opened, the referee's. */
  public String key() {
    return who.key();
  }

  /**
   * The key of every seat, where this client has opened the match; whoever has a key is that seat.
   */
  public Map<Integer, String> keys() {
    return who.keys();
  }

  /** Speaks for a seat: with its own key where that is known, or else with the referee's. */
  public Match asSeat(int seat) {
    return new Match(line, who.as(seat));
  }

  /** Looks at the table. */
  public Seen look() {
    return ask(MatchServiceGrpc.getGetMatchMethod(), Requests.look(who), Reading::seen);
  }

  /** Lists what the seat may do now; for the referee, what the seat to move may do. */
  public MatchMoves moves() {
    return ask(MatchServiceGrpc.getListMatchMovesMethod(), Requests.moves(who), Reading::moves);
  }

  /** Explains every card of the seat: legal, or the clauses it would break. */
  public MatchHand hand() {
    return ask(MatchServiceGrpc.getExplainMatchHandMethod(), Requests.hand(who), Reading::hand);
  }

  /** Judges a move without making it. */
  public MatchVerdict judge(Move move) {
    return ask(MatchServiceGrpc.getJudgeMoveMethod(), Requests.judge(who, move), Reading::verdict);
  }

  /** Makes a move. A refusal is an answer like another; see {@link #playOrThrow}. */
  public Played play(Move move) {
    return play(move, PlayOptions.USUAL);
  }

  /**
   * Makes a move, perhaps only at a certain revision.
   *
   * @throws chitarrella.client.errors.StaleRevisionException where the table has moved on from it
   */
  public Played play(Move move, PlayOptions how) {
    var request = Requests.play(who, move, how);
    var method = MatchServiceGrpc.getPlayMoveMethod();
    return line.ask(method, request, key(), request.getRequestId(), Reading::played);
  }

  /**
   * Makes a move like {@link #play(Move, PlayOptions)}.
   *
   * @throws RefusedException where it is refused
   */
  public Played playOrThrow(Move move, PlayOptions how) {
    var played = play(move, how);
    if (!played.accepted()) {
      throw new RefusedException(played.refusals(), played.revision());
    }
    return played;
  }

  /**
   * Goes through what has happened after a cursor, as those eyes may know it; empty for from the
   * first card on.
   */
  public Stream<Told> events(String cursor) {
    Function<ListEventsResponse, @Nullable String> next =
        page -> page.getMore() ? page.getCursor() : null;
    return line.pages(cursor, this::eventsPage, ListEventsResponse::getMovesList, next)
        .map(Reading::told);
  }

  private ListEventsResponse eventsPage(String cursor) {
    var method = MatchServiceGrpc.getListEventsMethod();
    return ask(method, Requests.events(who, cursor), answer -> answer);
  }

  /** Follows the match from the first card on until it is over, through whatever cuts. */
  public Watch watch() {
    return watch("", null);
  }

  /**
   * Follows the match until it is over; after a cut it comes back by itself.
   *
   * @param cursor where to go on; empty for the first card
   * @param giveUp how long it may stay cut off before what keeps it from coming back is thrown;
   *     null for ever
   */
  public Watch watch(String cursor, @Nullable Duration giveUp) {
    return new Watch(line, who, new Following(cursor, giveUp));
  }

  /** Adds a word to the shuffle of the pack that is wanted: any text, best a long random one. */
  public Awaited contribute(String word) {
    var method = MatchServiceGrpc.getContributeToDealMethod();
    var request = Requests.contribute(who, word);
    return line.ask(method, request, key(), request.getRequestId(), Reading::awaited);
  }

  /** Waits for no more words, as the referee. */
  public Awaited dealNow() {
    var method = MatchServiceGrpc.getContributeToDealMethod();
    var request = Requests.dealNow(who);
    return line.ask(method, request, key(), request.getRequestId(), Reading::awaited);
  }

  /**
   * Lists every pack and lot that was drawn, with as much of the proof as hides nothing any more.
   */
  public Draws draws() {
    var request = ListDrawsRequest.newBuilder().setMatch(id()).build();
    return ask(MatchServiceGrpc.getListDrawsMethod(), request, Reading::draws);
  }

  /** Gives the record of the match: to the referee at any time, to everybody when it is over. */
  public String record() {
    var request = GetRecordRequest.newBuilder().setMatch(id()).build();
    return ask(MatchServiceGrpc.getGetRecordMethod(), request, GetRecordResponse::getRecord);
  }

  /**
   * Asks that the last decision be taken back, or agrees to that; the referee decides for
   * everybody.
   */
  public TakenBack takeBack() {
    return takeBack(false, PlayOptions.USUAL);
  }

  /** The same; with {@code refuse} the decision is to stand. */
  public TakenBack takeBack(boolean refuse, PlayOptions how) {
    var request = Requests.takeBack(who, refuse, how);
    var method = MatchServiceGrpc.getTakeBackMethod();
    return line.ask(method, request, key(), request.getRequestId(), Reading::takenBack);
  }

  /** Has the move made, or the cards dealt, that time has run out for. */
  public Ruling ruleOnTime() {
    var request = RuleOnTimeRequest.newBuilder().setMatch(id()).build();
    return ask(MatchServiceGrpc.getRuleOnTimeMethod(), request, Reading::ruling);
  }

  /**
   * Gives the seat to a bot, or back to a person.
   *
   * @param bot "random", "greedy" or "search"; empty for a person
   * @param think how long it may think about a move; zero for as long as is usual
   * @return the seats that bots play
   */
  public List<BotSeat> seatBot(String bot, Duration think) {
    var method = MatchServiceGrpc.getSeatBotMethod();
    var request = Requests.seatBot(who, bot, think);
    return ask(method, request, answer -> Reading.bots(answer.getBotsList()));
  }

  /** Ends the match before its time, as the referee; gives the last revision. */
  public int end() {
    var request = EndMatchRequest.newBuilder().setMatch(id()).build();
    return ask(MatchServiceGrpc.getEndMatchMethod(), request, EndMatchResponse::getRevision);
  }

  /** Has the match forgotten at once, as the referee. */
  public void delete() {
    var request = DeleteMatchRequest.newBuilder().setMatch(id()).build();
    ask(MatchServiceGrpc.getDeleteMatchMethod(), request, answer -> answer);
  }

  private <Q, A, T> T ask(MethodDescriptor<Q, A> method, Q request, Function<A, T> read) {
    return line.ask(method, request, key(), "", read);
  }

  /** Shows everything but keys. */
  @Override
  public String toString() {
    return "Match[" + who + "]";
  }
}
