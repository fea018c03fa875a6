package chitarrella.client.answers;

/**
 * A suit that cards count as.
 *
 * @param code its code
 * @param name its name in the language of the client
 */
public record Suit(String code, String name) {}
