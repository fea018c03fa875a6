package chitarrella.client.answers;

import chitarrella.client.errors.ChitarrellaException;
import org.jspecify.annotations.Nullable;

/**
 * The result for one match of a batch.
 *
 * @param state the match; null if there is an error
 * @param error why it is not returned; null if it is
 */
public record FoundMatch(@Nullable MatchState state, @Nullable ChitarrellaException error) {

  /**
   * The match.
   *
   * @throws ChitarrellaException if there is an error
   */
  public MatchState get() {
    if (error != null) {
      throw error;
    }
    if (state == null) {
      throw new IllegalStateException("neither a match nor an error");
    }
    return state;
  }
}
