package chitarrella.client.answers;

import java.util.List;

/**
 * Who plays together, at one number of players.
 *
 * @param players the number of players
 * @param sides the seats of each side, in order of play
 */
public record Partnership(int players, List<List<Integer>> sides) {}
