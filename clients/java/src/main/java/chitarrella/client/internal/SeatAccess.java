package chitarrella.client.internal;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a call says about its match and its caller.
 *
 * @param matchId the id of the match
 * @param key the key of the caller; empty for the public
 * @param seat the seat that the caller acts for; null for that of the key
 * @param keys the keys of the seats, if they are known
 */
public record SeatAccess(
    String matchId, String key, @Nullable Integer seat, Map<Integer, String> keys) {

  /** Acts for a seat: with the seat's own key if known, else with the referee's. */
  public SeatAccess asSeat(int seat) {
    return new SeatAccess(matchId, keys.getOrDefault(seat, key), seat, keys);
  }

  /** With the new key of a seat, wherever the old one is known; null for the key in use. */
  public SeatAccess withNewKey(@Nullable Integer seat, String newKey) {
    var old = seat == null ? key : keys.get(seat);
    var known = new HashMap<>(keys);
    known.replaceAll((other, one) -> one.equals(old) ? newKey : one);
    if (seat != null) {
      known.put(seat, newKey);
    }
    return new SeatAccess(matchId, key.equals(old) ? newKey : key, this.seat, Map.copyOf(known));
  }

  @Override
  public String toString() {
    return matchId + (seat == null ? "" : " as seat " + seat); // no keys
  }
}
