package chitarrella.client;

import chitarrella.client.answers.MatchAnswers.PlatformUpdate;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.internal.ErrorMapper;
import chitarrella.client.internal.Mapper;
import chitarrella.client.internal.Subscription;
import chitarrella.v1.MatchServiceGrpc;
import chitarrella.v1.WatchMatchesRequest;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The updates of all matches of a platform from now on, and heartbeats.
 *
 * <p>The first one is a heartbeat: what happens after it is received. It does not reconnect,
 * because updates may be missing then: it throws a {@link ChitarrellaException}, and {@link
 * Chitarrella#matches(MatchFilter)} and {@link Match#events} return what was missed. One thread may
 * wait for updates while another closes the watch. One that is dropped is closed when it is
 * collected.
 */
public final class PlatformWatch implements Iterable<PlatformUpdate>, AutoCloseable {
  private final Transport transport;
  private final Context.CancellableContext call = Context.current().withCancellation();
  private volatile boolean closed;
  private @Nullable Iterator<chitarrella.v1.PlatformUpdate> stream;

  PlatformWatch(Transport transport) {
    transport.checkOpen();
    this.transport = transport;
    var context = call; // and not this watch, which would never be dropped
    Transport.DROPPED.register(this, () -> context.cancel(null));
  }

  /** Iterates over the updates; every iterator of a watch continues where the last one was. */
  @Override
  public Iterator<PlatformUpdate> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return PlatformWatch.this.hasNext();
      }

      @Override
      public PlatformUpdate next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return Mapper.update(openedStream().next());
      }
    };
  }

  /** Stops watching; a waiting iterator ends. */
  @Override
  public void close() {
    closed = true;
    call.cancel(null);
  }

  /** Waits for the next update; false if the watch was closed. */
  private boolean hasNext() {
    try {
      if (openedStream().hasNext()) {
        return true;
      }
    } catch (StatusRuntimeException error) {
      if (!stopped()) {
        throw ErrorMapper.map(error, "");
      }
    }
    if (stopped()) {
      return false;
    }
    throw Subscription.streamEnded(); // by something in between: the service ends it with an error
  }

  private boolean stopped() {
    return closed || transport.closed();
  }

  private Iterator<chitarrella.v1.PlatformUpdate> openedStream() {
    if (stream == null) {
      var before = call.attach();
      try {
        var request = WatchMatchesRequest.getDefaultInstance();
        stream = transport.openStream(MatchServiceGrpc.getWatchMatchesMethod(), request, "");
      } finally {
        call.detach(before);
      }
    }
    return stream;
  }
}
