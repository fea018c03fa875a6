package chitarrella.client;

import java.util.HashMap;
import java.util.Map;

/**
 * What the matches of a list have in common; what is empty is not a condition.
 *
 * @param externalId the platform's own id
 * @param labels they have all of these
 * @param playerName they have a player of exactly this name
 */
public record MatchFilter(String externalId, Map<String, String> labels, String playerName) {
  /** All matches of the platform. */
  public static final MatchFilter ALL = new MatchFilter("", Map.of(), "");

  /** Copies the labels. */
  public MatchFilter {
    labels = Map.copyOf(labels);
  }

  /** The same with an id of the platform's own. */
  public MatchFilter withExternalId(String externalId) {
    return new MatchFilter(externalId, labels, playerName);
  }

  /** The same with one more label. */
  public MatchFilter withLabel(String key, String value) {
    var more = new HashMap<>(labels);
    more.put(key, value);
    return new MatchFilter(externalId, more, playerName);
  }

  /** The same with the name of a player. */
  public MatchFilter withPlayerName(String playerName) {
    return new MatchFilter(externalId, labels, playerName);
  }
}
