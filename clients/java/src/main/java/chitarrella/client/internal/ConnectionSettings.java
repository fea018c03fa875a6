package chitarrella.client.internal;

import chitarrella.client.errors.ChitarrellaException.BadRequestException;
import chitarrella.client.errors.ErrorDetails;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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

  private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^]]+]|[^]\\[:/]+):[0-9]{1,5}");
  private static final Pattern OF_A_RESOLVER =
      Pattern.compile("(?!https?:)[a-z][a-z0-9+.-]*:/.*|unix:.*");

  /** Opens a channel, which connects with the first call. */
  public ManagedChannel open(String userAgent) {
    if (target.matches("https?://.*")) {
      var meant = target.substring(target.indexOf("//") + 2);
      throw mistake("target", "The target has no scheme: it is " + meant + "; tls() enables TLS.");
    }
    if (!HOST_AND_PORT.matcher(target).matches() && !OF_A_RESOLVER.matcher(target).matches()) {
      throw mistake("target", "The target is host:port, such as localhost:50051.");
    }
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
    put(headers, "x-api-key", checked("x-api-key", apiKey));
    put(headers, "accept-language", language);
    put(headers, "authorization", key.isEmpty() ? "" : "Bearer " + checked("authorization", key));
    return headers;
  }

  /** Returns a key that a header can have; the error does not contain it. */
  private static String checked(String name, String key) {
    if (key.chars().anyMatch(one -> one < '!' || one > '~')) {
      throw mistake(
          name, "A key has letters, digits and signs of ASCII, without blanks and line breaks.");
    }
    return key;
  }

  private static BadRequestException mistake(String field, String message) {
    return new BadRequestException(ErrorDetails.mistake(field, message));
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
