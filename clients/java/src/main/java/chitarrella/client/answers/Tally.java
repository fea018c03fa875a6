// A count, such as "card_points".
package chitarrella.client.answers;

/**
 * A count, such as "card_points".
 *
 * @param name the name of the count
 * @param number how many
 */
public record Tally(String name, int number) {}
