package chitarrella.client.answers;

import org.jspecify.annotations.Nullable;

/**
 * An update of one of the matches of a platform, or a heartbeat.
 *
 * @param matchId its id; empty for a heartbeat
 * @param update the events of one move, as the public sees them; null if the match was aborted, and
 *     for a heartbeat
 * @param finished whether the match is finished with it
 * @param aborted whether the match was aborted
 */
public record PlatformUpdate(
    String matchId, @Nullable MatchUpdate update, boolean finished, boolean aborted) {

  /** Whether it only says that the stream is alive. */
  public boolean heartbeat() {
    return matchId.isEmpty();
  }
}
