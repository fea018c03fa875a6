package chitarrella.client.answers;

/**
 * The name of the player at a seat. It is personal data.
 *
 * @param seat the seat
 * @param name the name
 */
public record PlayerName(int seat, String name) {}
