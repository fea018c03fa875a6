package chitarrella.client.answers;

import java.util.List;

/**
 * The winner of a trick, and the worth of the trick.
 *
 * @param place its place in order of play, the first being 0
 * @param card the winning card
 * @param tallies one number for each count of the game
 */
public record Trick(int place, String card, List<Tally> tallies) {}
