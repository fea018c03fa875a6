package chitarrella.client.answers;

/**
 * A seed that a seat has added to a shuffle.
 *
 * @param seat the seat
 * @param seed its seed
 */
public record ClientSeed(int seat, String seed) {}
