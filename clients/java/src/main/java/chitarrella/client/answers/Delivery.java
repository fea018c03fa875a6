package chitarrella.client.answers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

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
