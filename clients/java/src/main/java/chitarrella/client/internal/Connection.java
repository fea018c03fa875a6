// Where the service is, and how to speak to it.
package chitarrella.client.internal;

import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a client has to know to make a call.
 *
 * @param target "host:port"
 * @param credentials how the channel is encrypted; null for not at all
 * @param timeout how long one try of a call may take; null for as long as it takes
 * @param retries how often a call that was lost is repeated
 * @param apiKey the platform's; empty for none
 * @param language what clauses and refusals are told in, as Accept-Language has it; empty for
 *     English
 */
public record Connection(
    String target,
    @Nullable ChannelCredentials credentials,
    @Nullable Duration timeout,
    int retries,
    String apiKey,
    String language) {

  /** Opens a channel; it connects with the first call. */
  public ManagedChannel open(String userAgent) {
    var with = credentials == null ? InsecureChannelCredentials.create() : credentials;
    return Grpc.newChannelBuilder(target, with)
        .userAgent(userAgent)
        .keepAliveTime(20, TimeUnit.SECONDS) // a peer that is gone without a word is noticed
        .keepAliveTimeout(10, TimeUnit.SECONDS)
        .build();
  }

  /** Shows the platform's key, and that of a seat or the referee; none for the public. */
  public Metadata headers(String key) {
    var headers = new Metadata();
    put(headers, "x-api-key", apiKey);
    put(headers, "accept-language", language);
    put(headers, "authorization", key.isEmpty() ? "" : "Bearer " + key);
    return headers;
  }

  /** Says how long one try of a call may take, beginning now. */
  public CallOptions options() {
    return timeout == null
        ? CallOptions.DEFAULT
        : CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public String toString() {
    return "Connection[" + target + "]"; // no keys
  }

  private static void put(Metadata headers, String name, String value) {
    if (!value.isEmpty()) {
      headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }
  }
}
