package chitarrella.client.answers;

/**
 * A score in one count.
 *
 * @param name the name of the count, such as "card_points"
 * @param value the score
 */
public record Score(String name, int value) {}
