package chitarrella.client.answers;

/**
 * A count, such as "card_points".
 *
 * @param name the name of the count
 * @param number its value
 */
public record Tally(String name, int number) {}
