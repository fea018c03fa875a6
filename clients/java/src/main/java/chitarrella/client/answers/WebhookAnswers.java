package chitarrella.client.answers;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The webhooks of a platform, and their deliveries. */
public final class WebhookAnswers {
  private WebhookAnswers() {}

  /**
   * Where the service sends messages to a platform.
   *
   * @param webhookId its id
   * @param url where messages are sent
   * @param createTime when it was created; null for one in the settings of the service
   * @param disabled whether it receives no messages
   * @param configured whether it stands in the settings of the service; no call changes it then
   * @param eventTypes the types of messages that it receives, such as "match.finished"; none for
   *     all
   */
  public record Webhook(
      String webhookId,
      String url,
      @Nullable Instant createTime,
      boolean disabled,
      boolean configured,
      List<String> eventTypes) {}

  /**
   * A new webhook with its secret, which is returned only here.
   *
   * @param webhook the webhook
   * @param secret the secret that signs its messages, for a library of Standard Webhooks
   */
  public record CreatedWebhook(Webhook webhook, String secret) {
    /** Contains no secret. */
    @Override
    public String toString() {
      return "CreatedWebhook[" + webhook + "]";
    }
  }

  /**
   * The delivery of a message to a webhook.
   *
   * @param deliveryId its id
   * @param messageId the id of the message: its header {@code webhook-id}
   * @param type the type of the message, such as "match.moved"
   * @param matchId the id of the match; empty for a test message
   * @param state whether it was received
   * @param attempts the number of attempts
   * @param lastAttemptTime when the last attempt was made; null without one
   * @param statusCode the HTTP status of the last attempt; 0 without one
   * @param error why the last attempt failed, such as "timed_out"; empty if it did not
   */
  public record Delivery(
      String deliveryId,
      String messageId,
      String type,
      String matchId,
      DeliveryState state,
      int attempts,
      @Nullable Instant lastAttemptTime,
      int statusCode,
      String error) {}

  /** The state of a delivery. */
  public enum DeliveryState {
    /** A state of a newer service. */
    UNKNOWN,
    /** It will be attempted, perhaps again. */
    PENDING,
    /** The webhook has received it. */
    SENT,
    /** It is not attempted any more. */
    FAILED
  }
}
