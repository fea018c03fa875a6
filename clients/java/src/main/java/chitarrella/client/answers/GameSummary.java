// A game in one line.
package chitarrella.client.answers;

import java.util.List;

/**
 * A game in one line.
 *
 * @param game its key
 * @param title its name as the players say it
 * @param place where it is played
 * @param players how many may play
 * @param defaultPlayers how many of them play where an agreement does not say
 * @param pack the name of the pack
 * @param sources the documents that its rules rest on
 * @param edition the number of this version of the rules
 */
public record GameSummary(
    String game,
    String title,
    String place,
    List<Integer> players,
    int defaultPlayers,
    String pack,
    List<String> sources,
    int edition) {}
