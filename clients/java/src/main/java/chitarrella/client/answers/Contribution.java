package chitarrella.client.answers;

/**
 * A word that a seat has added to a shuffle.
 *
 * @param seat the seat
 * @param word its word
 */
public record Contribution(int seat, String word) {}
