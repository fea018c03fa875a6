package chitarrella.client.answers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the service sends messages to a platform.
 *
 * @param webhookId its id
 * @param url where messages are sent
 * @param createTime when it was created; null for one in the settings of the service
 * @param disabled whether it receives no messages
 * @param configured whether it stands in the settings of the service; no call changes it then
 */
public record Webhook(
    String webhookId,
    String url,
    @Nullable Instant createTime,
    boolean disabled,
    boolean configured) {}
