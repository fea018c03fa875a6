package chitarrella.client;

import chitarrella.client.answers.MatchAnswers.ClockAdvance;
import chitarrella.client.answers.MatchAnswers.ClockResult;
import chitarrella.client.answers.MatchAnswers.MatchDetails;
import chitarrella.client.answers.MatchAnswers.MatchHand;
import chitarrella.client.answers.MatchAnswers.MatchMoveValidation;
import chitarrella.client.answers.MatchAnswers.MatchMoves;
import chitarrella.client.answers.MatchAnswers.MatchUpdate;
import chitarrella.client.answers.MatchAnswers.MoveResult;
import chitarrella.client.answers.MatchAnswers.Shuffles;
import chitarrella.client.answers.MatchAnswers.TakebackResult;
import chitarrella.client.errors.ChitarrellaException.RefusedException;
import chitarrella.client.internal.Mapper;
import chitarrella.client.internal.Requests;
import chitarrella.client.internal.SeatAccess;
import chitarrella.client.internal.Subscription;
import chitarrella.client.table.Move;
import chitarrella.v1.AbortMatchRequest;
import chitarrella.v1.DecideMatchRequest;
import chitarrella.v1.DeleteMatchRequest;
import chitarrella.v1.EnforceClockRequest;
import chitarrella.v1.GetRecordRequest;
import chitarrella.v1.GetRecordResponse;
import chitarrella.v1.ListEventsResponse;
import chitarrella.v1.ListShufflesRequest;
import chitarrella.v1.MatchServiceGrpc;
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
  private final String spectatorKey;

  Match(Transport transport, SeatAccess access, String spectatorKey) {
    this.transport = transport;
    this.access = access;
    this.spectatorKey = spectatorKey;
  }

  /** The id of the match. */
  public String id() {
    return access.matchId();
  }

  /** The key in use; for a match just created, the referee's. */
  public String key() {
    return access.key();
  }

  /** The keys of the seats, if this client created the match. A key is the only proof of a seat. */
  public Map<Integer, String> keys() {
    return access.keys();
  }

  /**
   * The key of spectators, if this client created the match and it is private: its holder sees what
   * the public would.
   */
  public String spectatorKey() {
    return spectatorKey;
  }

  /** Acts for a seat: with the seat's own key if known, else with the referee's. */
  public Match asSeat(int seat) {
    return new Match(transport, access.asSeat(seat), spectatorKey);
  }

  /** The current state of the match. */
  public MatchDetails get() {
    return call(MatchServiceGrpc.getGetMatchMethod(), Requests.get(access), Mapper::match);
  }

  /** The legal moves of the seat; for the referee, those of the seat to move. */
  public MatchMoves legalMoves() {
    return call(
        MatchServiceGrpc.getListMatchMovesMethod(), Requests.legalMoves(access), Mapper::moves);
  }

  /** Explains every card of the seat: legal, or the clauses that forbid it. */
  public MatchHand explainHand() {
    return explainHand(false);
  }

  /** The same; {@code suggest} also suggests the move of a normal bot. */
  public MatchHand explainHand(boolean suggest) {
    var request = Requests.explainHand(access, suggest);
    return call(MatchServiceGrpc.getExplainMatchHandMethod(), request, Mapper::hand);
  }

  /** Validates a move without playing it. */
  public MatchMoveValidation validateMove(Move move) {
    return call(
        MatchServiceGrpc.getValidateMatchMoveMethod(),
        Requests.validateMove(access, move),
        Mapper::moveValidation);
  }

  /** Plays a move. A refusal is a result, not an exception; see {@link #playOrThrow}. */
  public MoveResult play(Move move) {
    return play(move, PlayOptions.USUAL);
  }

  /**
   * Plays a move with options.
   *
   * @throws chitarrella.client.errors.StaleRevisionException if the match has another revision than
   *     the expected one
   */
  public MoveResult play(Move move, PlayOptions how) {
    var request = Requests.play(access, move, how);
    var method = MatchServiceGrpc.getPlayMoveMethod();
    return transport.call(method, request, key(), request.getRequestId(), Mapper::moveResult);
  }

  /**
   * Plays a move like {@link #play(Move, PlayOptions)}.
   *
   * @throws RefusedException if it is refused
   */
  public MoveResult playOrThrow(Move move, PlayOptions how) {
    var result = play(move, how);
    if (!result.accepted()) {
      throw new RefusedException(result.refusals(), result.revision());
    }
    return result;
  }

  /** The updates after a cursor; empty for from the first card on. */
  public Stream<MatchUpdate> events(String cursor) {
    return transport
        .pages(
            cursor,
            this::eventsPage,
            ListEventsResponse::getUpdatesList,
            ListEventsResponse::getNextPageToken)
        .map(Mapper::update);
  }

  private ListEventsResponse eventsPage(String cursor) {
    var method = MatchServiceGrpc.getListEventsMethod();
    return call(method, Requests.events(access, cursor), response -> response);
  }

  /** Watches the match from the first card on until it is finished; reconnects by itself. */
  public Watch watch() {
    return watch("", null);
  }

  /**
   * Watches the match until it is finished; reconnects by itself.
   *
   * @param cursor to resume from; empty for the first card
   * @param giveUp how long it may stay disconnected before the last error is thrown; null for no
   *     limit
   */
  public Watch watch(String cursor, @Nullable Duration giveUp) {
    return new Watch(transport, access, new Subscription(cursor, giveUp));
  }

  /** Adds the seat's seed to the awaited shuffle: any text, best a long random one. */
  public MatchDetails contributeSeed(String seed) {
    var method = MatchServiceGrpc.getContributeSeedMethod();
    var request = Requests.contributeSeed(access, seed);
    return transport.call(method, request, key(), request.getRequestId(), Mapper::match);
  }

  /** Shuffles without waiting for more seeds, as the referee. */
  public MatchDetails shuffleNow() {
    var method = MatchServiceGrpc.getContributeSeedMethod();
    var request = Requests.shuffleNow(access);
    return transport.call(method, request, key(), request.getRequestId(), Mapper::match);
  }

  /** Every shuffle and lot with its proof, as far as that can be published yet. */
  public Shuffles shuffles() {
    var request = ListShufflesRequest.newBuilder().setMatchId(id()).build();
    return call(MatchServiceGrpc.getListShufflesMethod(), request, Mapper::shuffles);
  }

  /** The record of the match: for the referee at any time, for everybody once it is finished. */
  public String record() {
    var request = GetRecordRequest.newBuilder().setMatchId(id()).build();
    return call(MatchServiceGrpc.getGetRecordMethod(), request, GetRecordResponse::getRecord);
  }

  /**
   * Requests that the last decision be taken back, or agrees to it; the referee decides for all.
   */
  public TakebackResult takeBack() {
    return takeBack(false, PlayOptions.USUAL);
  }

  /** The same; {@code decline} declines the takeback. */
  public TakebackResult takeBack(boolean decline, PlayOptions how) {
    var request = Requests.takeBack(access, decline, how);
    var method = MatchServiceGrpc.getTakeBackMethod();
    return transport.call(method, request, key(), request.getRequestId(), Mapper::takebackResult);
  }

  /** Enforces the clock: plays the default move of a seat that is out of time. */
  public ClockResult enforceClock() {
    var request = EnforceClockRequest.newBuilder().setMatchId(id()).build();
    return call(MatchServiceGrpc.getEnforceClockMethod(), request, Mapper::clockResult);
  }

  /**
   * Assigns the seat to a bot, or back to a person.
   *
   * @param bot "easy", "normal", "strong" or "random"; empty for a person
   * @param think its time for a move; zero for the service's default
   */
  public MatchDetails assignBot(String bot, Duration think) {
    return assignBot(bot, think, Duration.ZERO);
  }

  /** The same; it moves at the earliest {@code delay} after the last decision. */
  public MatchDetails assignBot(String bot, Duration think, Duration delay) {
    var request = Requests.assignBot(access, bot, think, delay);
    return call(MatchServiceGrpc.getAssignBotMethod(), request, Mapper::match);
  }

  /** Says that the player of the seat is there; a clock may wait for it. */
  public MatchDetails join() {
    return join("");
  }

  /** The same with the name of the player from now on; empty to leave it. */
  public MatchDetails join(String playerName) {
    var request = Requests.join(access, playerName);
    return call(MatchServiceGrpc.getJoinMatchMethod(), request, Mapper::match);
  }

  /**
   * Gives up for the seat and its side; as the referee or the platform, the seat of {@link #asSeat}
   * forfeits.
   */
  public MatchDetails resign() {
    return call(MatchServiceGrpc.getResignMatchMethod(), Requests.resign(access), Mapper::match);
  }

  /** Decides who has won, none for a draw, and why; as the referee or the platform. */
  public MatchDetails decide(List<Integer> winners, String reason) {
    var request =
        DecideMatchRequest.newBuilder()
            .setMatchId(id())
            .addAllWinners(winners)
            .setReason(reason)
            .build();
    return call(MatchServiceGrpc.getDecideMatchMethod(), request, Mapper::match);
  }

  /** Changes what the platform attaches to the match, as the referee or the platform. */
  public MatchDetails update(MatchChanges changes) {
    var request = changes.request().setMatchId(id()).build();
    return call(MatchServiceGrpc.getUpdateMatchMethod(), request, Mapper::match);
  }

  /**
   * Asks for the clock to be paused, which it is when every person has asked; the referee and the
   * platform decide so.
   */
  public MatchDetails pauseClock() {
    return call(
        MatchServiceGrpc.getPauseClockMethod(), Requests.pauseClock(access, false), Mapper::match);
  }

  /** Asks for the clock to go on, as {@link #pauseClock} for the pause. */
  public MatchDetails resumeClock() {
    return call(
        MatchServiceGrpc.getPauseClockMethod(), Requests.pauseClock(access, true), Mapper::match);
  }

  /** Adds time to the bank of a seat, a second to a day, as the referee or the platform. */
  public MatchDetails addTime(int seat, Duration by) {
    return addTime(seat, by, "");
  }

  /** The same with a request id, to repeat the call later; a random one if empty. */
  public MatchDetails addTime(int seat, Duration by, String requestId) {
    var request = Requests.addTime(access, seat, by, requestId);
    var method = MatchServiceGrpc.getAddTimeMethod();
    return transport.call(method, request, key(), request.getRequestId(), Mapper::match);
  }

  /**
   * Moves the time of a test forward, in whole seconds, as the referee. A seat that is then out of
   * time plays its default move.
   */
  public ClockAdvance advanceClock(Duration by) {
    return advanceClock(by, "");
  }

  /** The same with a request id, to repeat the call later; a random one if empty. */
  public ClockAdvance advanceClock(Duration by, String requestId) {
    var request = Requests.advanceClock(access, by, requestId);
    var method = MatchServiceGrpc.getAdvanceClockMethod();
    return transport.call(method, request, key(), request.getRequestId(), Mapper::clockAdvance);
  }

  /** Replaces the key in use; see {@link #rotateKey(Integer, String)}. */
  public Match rotateKey() {
    return rotateKey(null, "");
  }

  /**
   * Replaces the key in use, or, as the referee, that of a seat. The old key is closed at once:
   * this object goes on only if its own key stays, and watches with the old key end.
   *
   * @param seat the seat whose key is replaced; null for the key in use
   * @param requestId to repeat the call later: 16 to 64 unguessable characters; a random one if
   *     empty
   * @return the match with the new key: its {@link #key}, or that of the seat in its {@link #keys}
   */
  public Match rotateKey(@Nullable Integer seat, String requestId) {
    var request = Requests.rotateKey(access, seat, requestId);
    var method = MatchServiceGrpc.getRotateKeyMethod();
    return transport.call(
        method,
        request,
        key(),
        request.getRequestId(),
        response -> new Match(transport, access.withNewKey(seat, response.getKey()), spectatorKey));
  }

  /** Aborts the match, as the referee. */
  public MatchDetails abort() {
    return abort("");
  }

  /** The same, and says why; empty to say nothing. */
  public MatchDetails abort(String reason) {
    var request = AbortMatchRequest.newBuilder().setMatchId(id()).setReason(reason).build();
    return call(MatchServiceGrpc.getAbortMatchMethod(), request, Mapper::match);
  }

  /** Deletes the match at once, as the referee. */
  public void delete() {
    var request = DeleteMatchRequest.newBuilder().setMatchId(id()).build();
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
