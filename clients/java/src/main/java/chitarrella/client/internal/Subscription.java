package chitarrella.client.internal;

import chitarrella.client.answers.MatchAnswers.MatchDetails;
import chitarrella.client.answers.MatchAnswers.MatchUpdate;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.ChitarrellaException.ResourceExhaustedException;
import chitarrella.client.errors.ChitarrellaException.UnavailableException;
import chitarrella.client.errors.ErrorDetails;
import io.grpc.Status;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of a watch: its cursor, and since when it has been disconnected. */
public final class Subscription {
  /**
   * Statuses of a broken connection; an error of the service with one of these has error details.
   */
  private static final Set<Status.Code> DISCONNECTED =
      EnumSet.of(
          Status.Code.UNAVAILABLE,
          Status.Code.UNKNOWN,
          Status.Code.INTERNAL,
          Status.Code.CANCELLED,
          Status.Code.DEADLINE_EXCEEDED);

  private static final ErrorDetails STREAM_ENDED =
      ErrorDetails.of("unavailable", "The service has ended the stream.");

  private final @Nullable Duration giveUp;
  private volatile String cursor;
  private volatile boolean finished;
  private boolean wasFinished;
  private int failures;
  private long disconnectedSince;

  /**
   * Resumes after {@code cursor}; fails after being disconnected for {@code giveUp} (null: never).
   */
  public Subscription(String cursor, @Nullable Duration giveUp) {
    this.cursor = cursor;
    this.giveUp = giveUp;
  }

  /** The cursor behind the last update. */
  public String cursor() {
    return cursor;
  }

  /** Whether there are no more updates. */
  public boolean finished() {
    return finished;
  }

  /** Handles a message of the stream; returns its update, null for a heartbeat. */
  public @Nullable MatchUpdate receive(chitarrella.v1.MatchUpdate message) {
    failures = 0;
    if (message.getEventsCount() == 0) {
      return null;
    }
    cursor = message.getCursor();
    return Mapper.update(message);
  }

  /** The pause before the next attempt, in milliseconds; throws the error if it is permanent. */
  public long afterError(ChitarrellaException error) {
    if (!isTransient(error)) {
      throw error;
    }
    var now = System.nanoTime();
    disconnectedSince = failures == 0 ? now : disconnectedSince;
    failures += 1;
    var delay = RetryPolicy.backoff(failures);
    var disconnected = Duration.ofNanos(now - disconnectedSince).plusMillis(delay);
    if (giveUp != null && disconnected.compareTo(giveUp) > 0) {
      throw error;
    }
    return delay;
  }

  /**
   * Handles a stream that ended regularly; returns the pause before the next one, in milliseconds.
   *
   * <p>A stream ends when the match is finished, but also when the service stops. If the match
   * finished after the stream, there are updates left to read.
   */
  public long afterStreamEnd(MatchDetails state) {
    finished = state.over() && (wasFinished || state.cursor().equals(cursor));
    wasFinished = state.over();
    return state.over() ? 0 : afterError(streamEnded());
  }

  /** The error of a stream that ended before the match. */
  public static ChitarrellaException streamEnded() {
    return new UnavailableException(STREAM_ENDED);
  }

  /** Whether the stream may be reopened, on another connection or later. */
  private static boolean isTransient(ChitarrellaException error) {
    if (error.fromService() || error.details().status() == null) {
      return error instanceof UnavailableException || error instanceof ResourceExhaustedException;
    }
    return DISCONNECTED.contains(error.details().status());
  }
}
