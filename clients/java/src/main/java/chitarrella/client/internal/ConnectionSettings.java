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
 * The settings of the connection.
 *
 * @param target "host:port"
 * @param credentials of TLS; null for no encryption
 * @param timeout of one attempt of a call; null for none
 * @param retries how often a lost call is retried
 * @param apiKey of a platform; empty for none
 * @param language of clauses and refusals, a value of Accept-Language; empty for English
 */
public record ConnectionSettings(
    String target,
    @Nullable ChannelCredentials credentials,
    @Nullable Duration timeout,
    int retries,
    String apiKey,
    String language) {

  /** Opens a channel, which connects with the first call. */
  public ManagedChannel open(String userAgent) {
    var with = credentials == null ? InsecureChannelCredentials.create() : credentials;
    return Grpc.newChannelBuilder(target, with)
        .userAgent(userAgent)
        .keepAliveTime(20, TimeUnit.SECONDS) // a peer that is gone without a word is noticed
        .keepAliveTimeout(10, TimeUnit.SECONDS)
        .build();
  }

  /** The headers of the settings, with the key of a seat or the referee; empty for the public. */
  public Metadata headers(String key) {
    var headers = new Metadata();
    put(headers, "x-api-key", apiKey);
    put(headers, "accept-language", language);
    put(headers, "authorization", key.isEmpty() ? "" : "Bearer " + key);
    return headers;
  }

  /** The options of one attempt of a call, with a deadline from now. */
  public CallOptions options() {
    return timeout == null
        ? CallOptions.DEFAULT
        : CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public String toString() {
    return "ConnectionSettings[" + target + "]"; // no keys
  }

  private static void put(Metadata headers, String name, String value) {
    if (!value.isEmpty()) {
      headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }
  }
}
