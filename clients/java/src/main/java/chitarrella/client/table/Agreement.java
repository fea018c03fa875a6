package chitarrella.client.table;

import java.util.Map;

/**
 * A game with its number of players and options.
 *
 * @param game the key of the game, such as "briscola"
 * @param players the number of players; 0 for the game's default
 * @param options by name; those left out have their default
 * @param edition the edition of the rules; 0 for the current one
 */
public record Agreement(String game, int players, Map<String, String> options, int edition) {

  /** Copies the options. */
  public Agreement {
    options = Map.copyOf(options);
  }

  /** A game with its default number of players and options. */
  public static Agreement of(String game) {
    return new Agreement(game, 0, Map.of(), 0);
  }

  /** A game with a number of players and default options. */
  public static Agreement of(String game, int players) {
    return new Agreement(game, players, Map.of(), 0);
  }

  /** The same with these options. */
  public Agreement withOptions(Map<String, String> options) {
    return new Agreement(game, players, options, edition);
  }

  /** The same with another edition of the rules. */
  public Agreement withEdition(int edition) {
    return new Agreement(game, players, options, edition);
  }
}
