package chitarrella.client;

import chitarrella.client.answers.MatchAnswers.MatchDetails;
import chitarrella.client.answers.MatchAnswers.MatchUpdate;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.internal.ErrorMapper;
import chitarrella.client.internal.Mapper;
import chitarrella.client.internal.Requests;
import chitarrella.client.internal.SeatAccess;
import chitarrella.client.internal.Subscription;
import chitarrella.v1.MatchServiceGrpc;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The updates of a match as they happen, each exactly once; ends when the match is finished.
 *
 * <p>When the connection breaks, it reconnects and resumes. Another watch can resume from {@link
 * #cursor}. One thread may wait for updates while another closes the watch. Close it, or leave the
 * end of its call to the garbage collector.
 */
public final class Watch implements Iterable<MatchUpdate>, AutoCloseable {
  private final Transport transport;
  private final SeatAccess access;
  private final Subscription subscription;
  private final OpenCall call = new OpenCall();
  private @Nullable Iterator<chitarrella.v1.MatchUpdate> stream;
  private @Nullable MatchUpdate nextUpdate;

  Watch(Transport transport, SeatAccess access, Subscription subscription) {
    transport.checkOpen();
    this.transport = transport;
    this.access = access;
    this.subscription = subscription;
    Transport.DROPPED.register(this, call::end);
  }

  /** The cursor behind the last update returned. */
  public String cursor() {
    return subscription.cursor();
  }

  /** Iterates over the updates; every iterator of a watch continues where the last one was. */
  @Override
  public Iterator<MatchUpdate> iterator() {
    return new UpdateIterator();
  }

  /** The updates as a stream; closing it closes the watch. */
  public Stream<MatchUpdate> stream() {
    return StreamSupport.stream(spliterator(), false).onClose(this::close);
  }

  /** Stops watching; a waiting iterator ends. */
  @Override
  public void close() {
    call.end();
  }

  private boolean done() {
    return call.ended || transport.closed() || subscription.finished();
  }

  /** Waits for the next update; null if there is none. */
  private @Nullable MatchUpdate next() {
    while (!done()) {
      try {
        var update = readStream();
        if (update != null) {
          return update;
        }
        afterStreamEnd();
      } catch (StatusRuntimeException error) {
        afterError(ErrorMapper.map(error, ""));
      }
    }
    close();
    return null;
  }

  /** Waits for the next update; null if the stream ends first. */
  private @Nullable MatchUpdate readStream() {
    if (stream == null) {
      stream = openStream();
    }
    while (stream.hasNext()) {
      var update = subscription.receive(stream.next());
      if (update != null) {
        return update;
      }
    }
    return null;
  }

  private Iterator<chitarrella.v1.MatchUpdate> openStream() {
    var context = call.begin();
    var before = context.attach();
    try {
      var request = Requests.watch(access, cursor());
      return transport.openStream(MatchServiceGrpc.getWatchMatchMethod(), request, access.key());
    } finally {
      context.detach(before);
    }
  }

  /** Handles a stream that ended regularly: finds out whether the match is finished. */
  private void afterStreamEnd() {
    if (done()) {
      return;
    }
    MatchDetails state;
    try {
      var method = MatchServiceGrpc.getGetMatchMethod();
      state = Mapper.match(transport.callOnce(method, Requests.get(access), access.key(), ""));
    } catch (ChitarrellaException error) {
      afterError(error);
      return;
    }
    reopenAfter(subscription.afterStreamEnd(state), Subscription.streamEnded());
  }

  /** Handles an error; throws it if it is permanent. */
  private void afterError(ChitarrellaException error) {
    if (!done()) {
      reopenAfter(subscription.afterError(error), error);
    }
  }

  private void reopenAfter(long pause, ChitarrellaException error) {
    call.cancel();
    stream = null;
    transport.pause(pause, error);
  }

  /** The call of a watch, apart from the watch, so that it can end when that is dropped. */
  private static final class OpenCall {
    private volatile boolean ended;
    private Context.@Nullable CancellableContext context;

    /** The context of the next stream. */
    synchronized Context.CancellableContext begin() {
      var begun = Context.current().withCancellation();
      context = begun;
      if (ended) {
        cancel();
      }
      return begun;
    }

    synchronized void cancel() {
      if (context != null) {
        context.cancel(null);
      }
    }

    void end() {
      ended = true;
      cancel();
    }
  }

  /** Iterates over the updates, fetching one ahead. */
  private final class UpdateIterator implements Iterator<MatchUpdate> {
    @Override
    public boolean hasNext() {
      if (nextUpdate == null) {
        nextUpdate = Watch.this.next();
      }
      return nextUpdate != null;
    }

    @Override
    public MatchUpdate next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      var update = Objects.requireNonNull(nextUpdate);
      nextUpdate = null;
      return update;
    }
  }
}
