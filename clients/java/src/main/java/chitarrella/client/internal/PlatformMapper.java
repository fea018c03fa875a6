package chitarrella.client.internal;

import chitarrella.client.answers.MatchAnswers.FoundMatch;
import chitarrella.client.answers.MatchAnswers.PlatformUpdate;
import chitarrella.client.answers.WebhookAnswers.CreatedWebhook;
import chitarrella.client.answers.WebhookAnswers.Delivery;
import chitarrella.client.answers.WebhookAnswers.DeliveryState;
import chitarrella.client.answers.WebhookAnswers.Webhook;
import chitarrella.v1.BatchGetMatchesResponse;
import chitarrella.v1.CreateWebhookResponse;
import chitarrella.v1.ListWebhooksResponse;
import chitarrella.v1.WatchMatchesResponse;
import java.util.List;

/** Converts responses about the matches and webhooks of a platform. */
public final class PlatformMapper {
  private PlatformMapper() {}

  /** Converts the results for many matches. */
  public static List<FoundMatch> foundMatches(BatchGetMatchesResponse m) {
    return m.getMatchesList().stream().map(PlatformMapper::foundMatch).toList();
  }

  private static FoundMatch foundMatch(chitarrella.v1.FoundMatch m) {
    return m.hasError()
        ? new FoundMatch(null, Batches.error(m.getError()))
        : new FoundMatch(MatchMapper.matchState(m.getMatch()), null);
  }

  /** Converts an update of one of the matches of a platform. */
  public static PlatformUpdate update(WatchMatchesResponse m) {
    return new PlatformUpdate(
        m.getMatchId(),
        m.hasUpdate() ? MatchMapper.update(m.getUpdate()) : null,
        m.getFinished(),
        m.getAborted());
  }

  /** Converts a webhook. */
  public static Webhook webhook(chitarrella.v1.Webhook m) {
    return new Webhook(
        m.getWebhookId(),
        m.getUrl(),
        m.hasCreateTime() ? MatchMapper.instant(m.getCreateTime()) : null,
        m.getDisabled(),
        m.getConfigured());
  }

  /** Converts a list of webhooks. */
  public static List<Webhook> webhooks(ListWebhooksResponse m) {
    return m.getWebhooksList().stream().map(PlatformMapper::webhook).toList();
  }

  /** Converts a new webhook. */
  public static CreatedWebhook createdWebhook(CreateWebhookResponse m) {
    return new CreatedWebhook(webhook(m.getWebhook()), m.getSecret());
  }

  /** Converts a delivery. */
  public static Delivery delivery(chitarrella.v1.Delivery m) {
    return new Delivery(
        m.getDeliveryId(),
        m.getMessageId(),
        m.getType(),
        m.getMatchId(),
        state(m.getState()),
        m.getAttempts(),
        m.hasLastAttemptTime() ? MatchMapper.instant(m.getLastAttemptTime()) : null,
        m.getStatusCode(),
        m.getError());
  }

  private static DeliveryState state(chitarrella.v1.DeliveryState m) {
    return switch (m) {
      case DELIVERY_STATE_PENDING -> DeliveryState.PENDING;
      case DELIVERY_STATE_SENT -> DeliveryState.SENT;
      case DELIVERY_STATE_FAILED -> DeliveryState.FAILED;
      default -> DeliveryState.UNKNOWN;
    };
  }
}
