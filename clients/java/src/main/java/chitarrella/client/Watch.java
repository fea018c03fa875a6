// Following a match through cuts.
package chitarrella.client;

import chitarrella.client.answers.Seen;
import chitarrella.client.answers.Told;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.internal.Failures;
import chitarrella.client.internal.Following;
import chitarrella.client.internal.Holder;
import chitarrella.client.internal.Reading;
import chitarrella.client.internal.Requests;
import chitarrella.v1.MatchServiceGrpc;
import chitarrella.v1.WatchMatchResponse;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What happens in a match, as it happens, each thing once; ends when the match is over.
 *
 * <p>When the connection is cut it comes back by itself and goes on where it was. {@link #cursor}
 * is that place: kept somewhere, it lets another watch go on there. One thread may wait for what
 * happens while another closes the watch.
 */
public final class Watch implements Iterable<Told>, AutoCloseable {
  private final Line line;
  private final Holder who;
  private final Following following;
  private volatile boolean closed;
  private Context.@Nullable CancellableContext call;
  private @Nullable Iterator<WatchMatchResponse> stream;
  private @Nullable Told ahead;

  Watch(Line line, Holder who, Following following) {
    this.line = line;
    this.who = who;
    this.following = following;
  }

  /** The place behind the last thing that was told. */
  public String cursor() {
    return following.cursor();
  }

  /** Goes on through what happens; every iterator of a watch goes on where the last one was. */
  @Override
  public Iterator<Told> iterator() {
    return new Telling();
  }

  /** Goes on through what happens, as a stream; it closes the watch when it is closed. */
  public Stream<Told> stream() {
    return StreamSupport.stream(spliterator(), false).onClose(this::close);
  }

  /** Stops watching; who is waiting for the next thing is told that there is none. */
  @Override
  public void close() {
    closed = true;
    hangUp();
  }

  private boolean done() {
    return closed || line.closed() || following.over();
  }

  /** Waits for the next thing to happen; null where nothing will. */
  private @Nullable Told next() {
    while (!done()) {
      try {
        var told = hear();
        if (told != null) {
          return told;
        }
        ended();
      } catch (StatusRuntimeException problem) {
        cut(Failures.read(problem, ""));
      }
    }
    close();
    return null;
  }

  /** Waits until something is told; null where the stream ends first. */
  private @Nullable Told hear() {
    if (stream == null) {
      stream = begin();
    }
    while (stream.hasNext()) {
      var told = following.heard(stream.next());
      if (told != null) {
        return told;
      }
    }
    return null;
  }

  /** Begins to listen, so that {@link #hangUp} ends it. */
  private Iterator<WatchMatchResponse> begin() {
    var context = Context.current().withCancellation();
    synchronized (this) {
      call = context;
    }
    if (closed) {
      hangUp();
    }
    var before = context.attach();
    try {
      var request = Requests.watch(who, cursor());
      return line.listen(MatchServiceGrpc.getWatchMatchMethod(), request, who.key());
    } finally {
      context.detach(before);
    }
  }

  private synchronized void hangUp() {
    if (call != null) {
      call.cancel(null);
    }
  }

  /** Goes on after a stream that has ended well: sees whether the match is over. */
  private void ended() {
    if (done()) {
      return;
    }
    Seen seen;
    try {
      var method = MatchServiceGrpc.getGetMatchMethod();
      seen = Reading.seen(line.once(method, Requests.look(who), who.key(), ""));
    } catch (ChitarrellaException problem) {
      cut(problem);
      return;
    }
    again(following.ended(seen), Following.endedWell());
  }

  /** Goes on after a cut; throws the error where that would not help. */
  private void cut(ChitarrellaException problem) {
    if (!done()) {
      again(following.cut(problem), problem);
    }
  }

  private void again(long pause, ChitarrellaException problem) {
    hangUp();
    stream = null;
    line.pause(pause, problem);
  }

  /** Goes through what is told; looks one ahead. */
  private final class Telling implements Iterator<Told> {
    @Override
    public boolean hasNext() {
      if (ahead == null) {
        ahead = Watch.this.next();
      }
      return ahead != null;
    }

    @Override
    public Told next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      var told = Objects.requireNonNull(ahead);
      ahead = null;
      return told;
    }
  }
}
