// How a move is made.
package chitarrella.client;

import org.jspecify.annotations.Nullable;

/**
 * How a move is made.
 *
 * @param expectedRevision only if the table is still at this revision; null in any case
 * @param requestId for who wants to repeat the call later, or from another process: at most 64
 *     characters; empty to have one made
 * @param wantView send the view after the move along
 */
public record PlayOptions(@Nullable Integer expectedRevision, String requestId, boolean wantView) {
  /** In any case, under a request id that is made. */
  public static final PlayOptions USUAL = new PlayOptions(null, "", false);

  /** Only if the table is still at this revision. */
  public static PlayOptions at(int revision) {
    return USUAL.withExpectedRevision(revision);
  }

  /** Only if the table is still at this revision; null in any case. */
  public PlayOptions withExpectedRevision(@Nullable Integer revision) {
    return new PlayOptions(revision, requestId, wantView);
  }

  /** Under a request id of the caller's own. */
  public PlayOptions withRequestId(String requestId) {
    return new PlayOptions(expectedRevision, requestId, wantView);
  }

  /** And send the view after the move along. */
  public PlayOptions withView() {
    return new PlayOptions(expectedRevision, requestId, true);
  }
}
