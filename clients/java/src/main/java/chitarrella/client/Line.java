// The line to the service: the channel, and calls over it.
package chitarrella.client;

import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.internal.Connection;
import chitarrella.client.internal.Failures;
import chitarrella.client.internal.Tries;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A channel and the settings of the client. Safe to be used by many threads. */
final class Line implements AutoCloseable {
  private final Connection connection;
  private final ManagedChannel channel;

  Line(Connection connection, ManagedChannel channel) {
    this.connection = connection;
    this.channel = channel;
  }

  Channel channel() {
    return channel;
  }

  /** Makes a call and reads the answer, without a key. */
  <Q, A, T> T ask(MethodDescriptor<Q, A> method, Q request, Function<A, T> read) {
    return ask(method, request, "", "", read);
  }

  /** Makes a call and reads the answer; one that was lost is repeated. */
  <Q, A, T> T ask(
      MethodDescriptor<Q, A> method, Q request, String key, String requestId, Function<A, T> read) {
    var tries = new Tries(connection.retries());
    while (true) {
      try {
        return read.apply(once(method, request, key, requestId));
      } catch (ChitarrellaException error) {
        if (closed() || Thread.currentThread().isInterrupted()) {
          throw error;
        }
        pause(tries.after(error), error);
      }
    }
  }

  /** Makes a call, and never again. */
  <Q, A> A once(MethodDescriptor<Q, A> method, Q request, String key, String requestId) {
    try {
      return ClientCalls.blockingUnaryCall(showing(key), method, connection.options(), request);
    } catch (StatusRuntimeException problem) {
      throw Failures.read(problem, requestId);
    }
  }

  /** Makes a call that goes on being answered. */
  <Q, A> Iterator<A> listen(MethodDescriptor<Q, A> method, Q request, String key) {
    return ClientCalls.blockingServerStreamingCall(
        showing(key), method, CallOptions.DEFAULT, request);
  }

  /**
   * Goes through the items of all pages; {@code next} gives the token of the page after one, null
   * after the last.
   */
  <P, T> Stream<T> pages(
      String token,
      Function<String, P> ask,
      Function<P, List<T>> items,
      Function<P, @Nullable String> next) {
    return Stream.<P>iterate(
            ask.apply(token),
            Objects::nonNull,
            page -> {
              var following = next.apply(page);
              return following == null ? null : ask.apply(following);
            })
        .flatMap(page -> items.apply(page).stream());
  }

  /**
   * Waits before another try, and has the channel connect again at once then; throws the error if
   * interrupted.
   */
  void pause(long milliseconds, ChitarrellaException error) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw error;
    }
    channel.resetConnectBackoff();
  }

  boolean closed() {
    return channel.isShutdown();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private Channel showing(String key) {
    var headers = MetadataUtils.newAttachHeadersInterceptor(connection.headers(key));
    return ClientInterceptors.intercept(channel, headers);
  }
}
