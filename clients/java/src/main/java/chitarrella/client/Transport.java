package chitarrella.client;

import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.ChitarrellaException.UnavailableException;
import chitarrella.client.errors.ErrorDetails;
import chitarrella.client.internal.ConnectionSettings;
import chitarrella.client.internal.ErrorMapper;
import chitarrella.client.internal.RetryPolicy;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.lang.ref.Cleaner;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Calls over a gRPC channel, with their retries. Thread safe. */
final class Transport implements AutoCloseable {
  /** Ends the calls of watches that are dropped without having been closed. */
  static final Cleaner DROPPED = Cleaner.create();

  private final ConnectionSettings connection;
  private final ManagedChannel channel;

  Transport(ConnectionSettings connection, ManagedChannel channel) {
    this.connection = connection;
    this.channel = channel;
  }

  /** Throws if the client is closed. */
  void checkOpen() {
    if (closed()) {
      throw new UnavailableException(ErrorDetails.of("unavailable", "The client is closed."));
    }
  }

  Channel channel() {
    return channel;
  }

  /** Makes a call without a key, and converts the response. */
  <Q, A, T> T call(MethodDescriptor<Q, A> method, Q request, Function<A, T> read) {
    return call(method, request, "", "", read);
  }

  /** Makes a call with retries, and converts the response. */
  <Q, A, T> T call(
      MethodDescriptor<Q, A> method, Q request, String key, String requestId, Function<A, T> read) {
    var retryPolicy = new RetryPolicy(connection.retries());
    while (true) {
      checkOpen();
      try {
        return read.apply(callOnce(method, request, key, requestId));
      } catch (ChitarrellaException error) {
        checkOpen();
        if (Thread.currentThread().isInterrupted()) {
          throw error;
        }
        pause(retryPolicy.delayAfter(error), error);
      }
    }
  }

  /** Makes a single attempt. */
  <Q, A> A callOnce(MethodDescriptor<Q, A> method, Q request, String key, String requestId) {
    try {
      return ClientCalls.blockingUnaryCall(
          channelWithHeaders(key), method, connection.options(), request);
    } catch (StatusRuntimeException problem) {
      throw ErrorMapper.map(problem, requestId);
    }
  }

  /** Opens a stream. */
  <Q, A> Iterator<A> openStream(MethodDescriptor<Q, A> method, Q request, String key) {
    return ClientCalls.blockingServerStreamingCall(
        channelWithHeaders(key), method, CallOptions.DEFAULT, request);
  }

  /**
   * Streams the items of all pages; {@code next} returns the token of the next page, empty after
   * the last.
   */
  <P, T> Stream<T> pages(
      String token, Function<String, P> ask, Function<P, List<T>> items, Function<P, String> next) {
    return Stream.<P>iterate(
            ask.apply(token),
            Objects::nonNull,
            page -> {
              var following = next.apply(page);
              return following.isEmpty() ? null : ask.apply(following);
            })
        .flatMap(page -> items.apply(page).stream());
  }

  /**
   * Waits before the next attempt, then has the channel reconnect at once; throws the error if
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

  private Channel channelWithHeaders(String key) {
    var headers = MetadataUtils.newAttachHeadersInterceptor(connection.headers(key));
    return ClientInterceptors.intercept(channel, headers);
  }
}
