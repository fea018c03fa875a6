package chitarrella.client.answers;

import java.util.List;

/**
 * An entry of the list of games.
 *
 * @param gameId its key
 * @param title its name
 * @param place where it is played
 * @param players the possible numbers of players
 * @param defaultPlayers the default number of players
 * @param pack the name of the pack
 * @param sources the documents of its rules
 * @param edition the number of the current edition
 */
public record GameSummary(
    String gameId,
    String title,
    String place,
    List<Integer> players,
    int defaultPlayers,
    String pack,
    List<String> sources,
    int edition) {}
