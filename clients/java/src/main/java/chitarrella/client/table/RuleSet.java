package chitarrella.client.table;

import java.util.Map;

/**
 * A game with its number of players and options.
 *
 * @param gameId the key of the game, such as "briscola"
 * @param players the number of players; 0 for the game's default
 * @param options by name; those left out have their default
 * @param edition the edition of the rules; 0 for the current one
 */
public record RuleSet(String gameId, int players, Map<String, String> options, int edition) {

  /** Copies the options. */
  public RuleSet {
    options = Map.copyOf(options);
  }

  /** A game with its default number of players and options. */
  public static RuleSet of(String gameId) {
    return new RuleSet(gameId, 0, Map.of(), 0);
  }

  /** A game with a number of players and default options. */
  public static RuleSet of(String gameId, int players) {
    return new RuleSet(gameId, players, Map.of(), 0);
  }

  /** The same with these options. */
  public RuleSet withOptions(Map<String, String> options) {
    return new RuleSet(gameId, players, options, edition);
  }

  /** The same with another edition of the rules. */
  public RuleSet withEdition(int edition) {
    return new RuleSet(gameId, players, options, edition);
  }
}
