// Which card takes a trick, and what the trick is worth.
package chitarrella.client.answers;

import java.util.List;

/**
 * Which card takes a trick, and what the trick is worth.
 *
 * @param place its place in order of play, the first being 0
 * @param card the winning card
 * @param tallies one number for each count of the game
 */
public record Trick(int place, String card, List<Tally> tallies) {}
