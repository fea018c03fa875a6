package chitarrella.client.internal;

import chitarrella.client.MatchFilter;
import chitarrella.client.Webhooks.WebhookChanges;
import chitarrella.client.answers.WebhookAnswers.DeliveryState;
import chitarrella.v1.AdvanceClockRequest;
import chitarrella.v1.CreateWebhookRequest;
import chitarrella.v1.ListDeliveriesRequest;
import chitarrella.v1.ListMatchesRequest;
import chitarrella.v1.RotateKeyRequest;
import chitarrella.v1.UpdateWebhookRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Builds requests about the matches and webhooks of a platform, keys, and the clocks of tests. */
public final class PlatformRequests {
  private PlatformRequests() {}

  /** Lists a page of the matches that fit a filter. */
  public static ListMatchesRequest matches(MatchFilter filter, String pageToken) {
    var m =
        ListMatchesRequest.newBuilder()
            .setPageToken(pageToken)
            .setExternalId(filter.externalId())
            .setPlayerName(filter.playerName());
    filter.labels().forEach((key, value) -> m.addLabels(key + "=" + value));
    return m.build();
  }

  /** Replaces the key of a seat; null for the key in use. */
  public static RotateKeyRequest rotateKey(
      SeatAccess access, @Nullable Integer seat, String requestId) {
    var m =
        RotateKeyRequest.newBuilder()
            .setMatchId(access.matchId())
            .setRequestId(MatchRequests.requestIdOrRandom(requestId));
    return (seat == null ? m : m.setSeat(seat)).build();
  }

  /** Moves the clock of a test. */
  public static AdvanceClockRequest advanceClock(SeatAccess access, Duration by, String requestId) {
    return AdvanceClockRequest.newBuilder()
        .setMatchId(access.matchId())
        .setSeconds((int) by.toSeconds())
        .setRequestId(MatchRequests.requestIdOrRandom(requestId))
        .build();
  }

  /** Creates a webhook. */
  public static CreateWebhookRequest createWebhook(String url, String requestId) {
    return CreateWebhookRequest.newBuilder()
        .setUrl(url)
        .setRequestId(MatchRequests.requestIdOrRandom(requestId))
        .build();
  }

  /** Changes a webhook. */
  public static UpdateWebhookRequest updateWebhook(String webhookId, WebhookChanges changes) {
    var m = UpdateWebhookRequest.newBuilder().setWebhookId(webhookId);
    if (changes.url() != null) {
      m.setUrl(changes.url());
    }
    if (changes.disabled() != null) {
      m.setDisabled(changes.disabled());
    }
    return m.build();
  }

  /** Lists a page of the deliveries in a state; null for any. */
  public static ListDeliveriesRequest deliveries(
      String webhookId, @Nullable DeliveryState state, String pageToken) {
    var m = ListDeliveriesRequest.newBuilder().setWebhookId(webhookId).setPageToken(pageToken);
    return (state == null ? m : m.setState(state(state))).build();
  }

  private static chitarrella.v1.DeliveryState state(DeliveryState state) {
    return switch (state) {
      case PENDING -> chitarrella.v1.DeliveryState.DELIVERY_STATE_PENDING;
      case SENT -> chitarrella.v1.DeliveryState.DELIVERY_STATE_SENT;
      case FAILED -> chitarrella.v1.DeliveryState.DELIVERY_STATE_FAILED;
      case UNKNOWN -> chitarrella.v1.DeliveryState.DELIVERY_STATE_UNSPECIFIED;
    };
  }
}
