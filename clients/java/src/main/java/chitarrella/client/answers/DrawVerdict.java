// What the service says of a draw.
package chitarrella.client.answers;

/**
 * What the service says of a draw.
 *
 * @param fair it came out as its commitment promised
 * @param code if not, why
 */
public record DrawVerdict(boolean fair, String code) {}
