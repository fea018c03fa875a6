package chitarrella.client;

import chitarrella.client.answers.WebhookAnswers.CreatedWebhook;
import chitarrella.client.answers.WebhookAnswers.Delivery;
import chitarrella.client.answers.WebhookAnswers.DeliveryState;
import chitarrella.client.answers.WebhookAnswers.Webhook;
import chitarrella.client.internal.Mapper;
import chitarrella.client.internal.Requests;
import chitarrella.v1.DeleteWebhookRequest;
import chitarrella.v1.ListDeliveriesResponse;
import chitarrella.v1.ListWebhooksRequest;
import chitarrella.v1.ResendDeliveryRequest;
import chitarrella.v1.RotateWebhookSecretRequest;
import chitarrella.v1.RotateWebhookSecretResponse;
import chitarrella.v1.TestWebhookRequest;
import chitarrella.v1.WebhookServiceGrpc;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The webhooks of the platform of the API key, and what was delivered to them. */
public final class Webhooks {
  private final Transport transport;

  Webhooks(Transport transport) {
    this.transport = transport;
  }

  /** Creates a webhook; the result has its secret, which no other call returns. */
  public CreatedWebhook create(String url) {
    return create(url, List.of(), "");
  }

  /**
   * Creates a webhook.
   *
   * @param url where messages are sent
   * @param eventTypes the types of messages that it receives, such as "match.finished"; none for
   *     all
   * @param requestId to repeat the call later: 16 to 64 characters; a random one if empty
   */
  public CreatedWebhook create(String url, List<String> eventTypes, String requestId) {
    var request = Requests.createWebhook(url, eventTypes, requestId);
    return transport.call(
        WebhookServiceGrpc.getCreateWebhookMethod(),
        request,
        "",
        request.getRequestId(),
        Mapper::createdWebhook);
  }

  /** The webhooks of the platform, the one in the settings of the service first. */
  public List<Webhook> list() {
    return transport.call(
        WebhookServiceGrpc.getListWebhooksMethod(),
        ListWebhooksRequest.getDefaultInstance(),
        Mapper::webhooks);
  }

  /** Changes the URL of a webhook or the types of its messages, disables or enables it. */
  public Webhook update(String webhookId, WebhookChanges changes) {
    return transport.call(
        WebhookServiceGrpc.getUpdateWebhookMethod(),
        Requests.updateWebhook(webhookId, changes),
        response -> Mapper.webhook(response.getWebhook()));
  }

  /** Replaces the secret of a webhook; the old one signs beside the new one for 24 hours. */
  public String rotateSecret(String webhookId) {
    return transport.call(
        WebhookServiceGrpc.getRotateWebhookSecretMethod(),
        RotateWebhookSecretRequest.newBuilder().setWebhookId(webhookId).build(),
        RotateWebhookSecretResponse::getSecret);
  }

  /** Deletes a webhook with its deliveries. */
  public void delete(String webhookId) {
    transport.call(
        WebhookServiceGrpc.getDeleteWebhookMethod(),
        DeleteWebhookRequest.newBuilder().setWebhookId(webhookId).build(),
        response -> response);
  }

  /** Sends a test message now; returns its delivery, sent or failed. */
  public Delivery test(String webhookId) {
    return transport.call(
        WebhookServiceGrpc.getTestWebhookMethod(),
        TestWebhookRequest.newBuilder().setWebhookId(webhookId).build(),
        response -> Mapper.delivery(response.getDelivery()));
  }

  /** The deliveries to a webhook, the latest first; with a state, those in it. */
  public Stream<Delivery> deliveries(String webhookId, @Nullable DeliveryState state) {
    return transport
        .pages(
            "",
            token -> deliveriesPage(webhookId, state, token),
            ListDeliveriesResponse::getDeliveriesList,
            ListDeliveriesResponse::getNextPageToken)
        .map(Mapper::delivery);
  }

  private ListDeliveriesResponse deliveriesPage(
      String webhookId, @Nullable DeliveryState state, String token) {
    var request = Requests.deliveries(webhookId, state, token);
    return transport.call(WebhookServiceGrpc.getListDeliveriesMethod(), request, page -> page);
  }

  /** Sends the message of a delivery again; returns the delivery, which is pending then. */
  public Delivery resend(String webhookId, String deliveryId) {
    var request =
        ResendDeliveryRequest.newBuilder().setWebhookId(webhookId).setDeliveryId(deliveryId);
    return transport.call(
        WebhookServiceGrpc.getResendDeliveryMethod(),
        request.build(),
        response -> Mapper.delivery(response.getDelivery()));
  }

  /**
   * The changes of a webhook; what is null stays as it is.
   *
   * @param url where messages are sent
   * @param disabled whether it receives no messages
   * @param eventTypes the types of messages that it receives; none to leave them
   */
  public record WebhookChanges(
      @Nullable String url, @Nullable Boolean disabled, List<String> eventTypes) {}
}
