package chitarrella.client.answers;

import java.util.List;

/**
 * The winner of a trick, and what the trick counts.
 *
 * @param winningIndex the index of the winning card in order of play, the first being 0
 * @param winningCard the winning card
 * @param scores a score in each count of the game
 */
public record TrickResult(int winningIndex, String winningCard, List<Score> scores) {}
