package chitarrella.client;

import org.jspecify.annotations.Nullable;

/**
 * The changes of a webhook; what is null stays as it is.
 *
 * @param url where messages are sent
 * @param disabled whether it receives no messages
 */
public record WebhookChanges(@Nullable String url, @Nullable Boolean disabled) {}
