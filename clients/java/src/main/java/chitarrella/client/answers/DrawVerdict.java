package chitarrella.client.answers;

/**
 * The service's verdict on a draw.
 *
 * @param fair whether it follows from its commitment
 * @param code the reason if not
 */
public record DrawVerdict(boolean fair, String code) {}
