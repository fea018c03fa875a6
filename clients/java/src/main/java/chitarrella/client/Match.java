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
import chitarrella.client.internal.MatchMapper;
import chitarrella.client.internal.MatchRequests;
import chitarrella.client.internal.SeatAccess;
import chitarrella.client.internal.Subscription;
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

/** A match. The key identifies the caller: a seat, the referee, or, if empty, the public. */
public final class Match {
  private final Transport transport;
  private final SeatAccess access;

  Match(Transport transport, SeatAccess access) {
    this.transport = transport;
    this.access = access;
  }

  /** The id of the match. */
  public String id() {
    return access.match();
  }

  /** The key in use; for a match just created, the referee's. */
  public String key() {
    return access.key();
  }

  /** The keys of the seats, if this client created the match. A key is the only proof of a seat. */
  public Map<Integer, String> keys() {
    return access.keys();
  }

  /** Acts for a seat: with the seat's own key if known, else with the referee's. */
  public Match asSeat(int seat) {
    return new Match(transport, access.asSeat(seat));
  }

  /** The current state of the match. */
  public Seen look() {
    return call(
        MatchServiceGrpc.getGetMatchMethod(), MatchRequests.look(access), MatchMapper::seen);
  }

  /** The legal moves of the seat; for the referee, those of the seat to move. */
  public MatchMoves moves() {
    return call(
        MatchServiceGrpc.getListMatchMovesMethod(),
        MatchRequests.moves(access),
        MatchMapper::moves);
  }

  /** Explains every card of the seat: legal, or the clauses that forbid it. */
  public MatchHand hand() {
    return call(
        MatchServiceGrpc.getExplainMatchHandMethod(),
        MatchRequests.hand(access),
        MatchMapper::hand);
  }

  /** Checks a move without playing it. */
  public MatchVerdict judge(Move move) {
    return call(
        MatchServiceGrpc.getJudgeMoveMethod(),
        MatchRequests.judge(access, move),
        MatchMapper::verdict);
  }

  /** Plays a move. A refusal is a result, not an exception; see {@link #playOrThrow}. */
  public Played play(Move move) {
    return play(move, PlayOptions.USUAL);
  }

  /**
   * Plays a move with options.
   *
   * @throws chitarrella.client.errors.StaleRevisionException if the match has another revision than
   *     the expected one
   */
  public Played play(Move move, PlayOptions how) {
    var request = MatchRequests.play(access, move, how);
    var method = MatchServiceGrpc.getPlayMoveMethod();
    return transport.call(method, request, key(), request.getRequestId(), MatchMapper::played);
  }

  /**
   * Plays a move like {@link #play(Move, PlayOptions)}.
   *
   * @throws RefusedException if it is refused
   */
  public Played playOrThrow(Move move, PlayOptions how) {
    var played = play(move, how);
    if (!played.accepted()) {
      throw new RefusedException(played.refusals(), played.revision());
    }
    return played;
  }

  /** The updates after a cursor; empty for from the first card on. */
  public Stream<Told> events(String cursor) {
    Function<ListEventsResponse, @Nullable String> next =
        page -> page.getMore() ? page.getCursor() : null;
    return transport
        .pages(cursor, this::eventsPage, ListEventsResponse::getMovesList, next)
        .map(MatchMapper::update);
  }

  private ListEventsResponse eventsPage(String cursor) {
    var method = MatchServiceGrpc.getListEventsMethod();
    return call(method, MatchRequests.events(access, cursor), response -> response);
  }

  /** Watches the match from the first card on until it is over; reconnects by itself. */
  public Watch watch() {
    return watch("", null);
  }

  /**
   * Watches the match until it is over; reconnects by itself.
   *
   * @param cursor to resume from; empty for the first card
   * @param giveUp how long it may stay disconnected before the last error is thrown; null for no
   *     limit
   */
  public Watch watch(String cursor, @Nullable Duration giveUp) {
    return new Watch(transport, access, new Subscription(cursor, giveUp));
  }

  /** Adds the seat's word to the awaited shuffle: any text, best a long random one. */
  public Awaited contribute(String word) {
    var method = MatchServiceGrpc.getContributeToDealMethod();
    var request = MatchRequests.contribute(access, word);
    return transport.call(method, request, key(), request.getRequestId(), MatchMapper::awaited);
  }

  /** Shuffles without waiting for more words, as the referee. */
  public Awaited dealNow() {
    var method = MatchServiceGrpc.getContributeToDealMethod();
    var request = MatchRequests.dealNow(access);
    return transport.call(method, request, key(), request.getRequestId(), MatchMapper::awaited);
  }

  /** Every shuffle and lot with its proof, as far as that can be published yet. */
  public Draws draws() {
    var request = ListDrawsRequest.newBuilder().setMatch(id()).build();
    return call(MatchServiceGrpc.getListDrawsMethod(), request, MatchMapper::draws);
  }

  /** The record of the match: for the referee at any time, for everybody once it is over. */
  public String record() {
    var request = GetRecordRequest.newBuilder().setMatch(id()).build();
    return call(MatchServiceGrpc.getGetRecordMethod(), request, GetRecordResponse::getRecord);
  }

  /**
   * Requests that the last decision be taken back, or agrees to it; the referee decides for all.
   */
  public TakenBack takeBack() {
    return takeBack(false, PlayOptions.USUAL);
  }

  /** The same; {@code refuse} declines the takeback. */
  public TakenBack takeBack(boolean refuse, PlayOptions how) {
    var request = MatchRequests.takeBack(access, refuse, how);
    var method = MatchServiceGrpc.getTakeBackMethod();
    return transport.call(method, request, key(), request.getRequestId(), MatchMapper::takenBack);
  }

  /** Enforces the clock: plays the default move of a seat that is out of time. */
  public Ruling ruleOnTime() {
    var request = RuleOnTimeRequest.newBuilder().setMatch(id()).build();
    return call(MatchServiceGrpc.getRuleOnTimeMethod(), request, MatchMapper::ruling);
  }

  /**
   * Assigns the seat to a bot, or back to a person.
   *
   * @param bot "random", "greedy" or "search"; empty for a person
   * @param think its time for a move; zero for the service's default
   * @return the seats played by bots
   */
  public List<BotSeat> seatBot(String bot, Duration think) {
    var method = MatchServiceGrpc.getSeatBotMethod();
    var request = MatchRequests.seatBot(access, bot, think);
    return call(method, request, response -> MatchMapper.bots(response.getBotsList()));
  }

  /** Aborts the match, as the referee; returns its last revision. */
  public int end() {
    var request = EndMatchRequest.newBuilder().setMatch(id()).build();
    return call(MatchServiceGrpc.getEndMatchMethod(), request, EndMatchResponse::getRevision);
  }

  /** Deletes the match at once, as the referee. */
  public void delete() {
    var request = DeleteMatchRequest.newBuilder().setMatch(id()).build();
    call(MatchServiceGrpc.getDeleteMatchMethod(), request, response -> response);
  }

  private <Q, A, T> T call(MethodDescriptor<Q, A> method, Q request, Function<A, T> read) {
    return transport.call(method, request, key(), "", read);
  }

  /** Contains no keys. */
  @Override
  public String toString() {
    return "Match[" + access + "]";
  }
}
