// Who asks about a match.
package chitarrella.client.internal;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who asks about a match.
 *
 * @param match its name
 * @param key the key that is shown; empty for the public
 * @param seat the seat that is spoken for; null for none
 * @param keys the key of every seat, where they are known
 */
public record Holder(String match, String key, @Nullable Integer seat, Map<Integer, String> keys) {

  /** Speaks for a seat: with its own key where that is known, or else with the referee's. */
  public Holder as(int seat) {
    return new Holder(match, keys.getOrDefault(seat, key), seat, keys);
  }

  @Override
  public String toString() {
    return match + (seat == null ? "" : " as seat " + seat); // no keys
  }
}
