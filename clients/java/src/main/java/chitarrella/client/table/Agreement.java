// What a table has agreed to play.
package chitarrella.client.table;

import java.util.Map;

/**
 * What a table has agreed to play.
 *
 * @param game the key of the game, such as "briscola"
 * @param players how many persons play; 0 for the number that the game names first
 * @param options the house rules by name; one that is left out has its default
 * @param edition the edition of the rules; 0 for the current one
 */
public record Agreement(String game, int players, Map<String, String> options, int edition) {

  /** Keeps the options as they are now. */
  public Agreement {
    options = Map.copyOf(options);
  }

  /** Agrees on a game with as many players as it names first, and no house rules. */
  public static Agreement of(String game) {
    return new Agreement(game, 0, Map.of(), 0);
  }

  /** Agrees on a game with so many players, and no house rules. */
  public static Agreement of(String game, int players) {
    return new Agreement(game, players, Map.of(), 0);
  }

  /** Agrees on these house rules instead. */
  public Agreement withOptions(Map<String, String> options) {
    return new Agreement(game, players, options, edition);
  }

  /** Agrees on another edition of the rules. */
  public Agreement withEdition(int edition) {
    return new Agreement(game, players, options, edition);
  }
}
