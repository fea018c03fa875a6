package chitarrella.client.answers;

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
