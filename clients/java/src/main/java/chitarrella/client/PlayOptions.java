package chitarrella.client;

import org.jspecify.annotations.Nullable;

/**
 * The options of a move.
 *
 * @param expectedRevision precondition: the match has this revision; null for none
 * @param requestId to repeat the call later or from another process, at most 64 characters; a
 *     random one if empty
 * @param includeView whether to return the view after the move
 */
public record PlayOptions(
    @Nullable Integer expectedRevision, String requestId, boolean includeView) {
  /** The defaults: no precondition, a random request id. */
  public static final PlayOptions USUAL = new PlayOptions(null, "", false);

  /** Precondition: the match has this revision. */
  public static PlayOptions at(int revision) {
    return USUAL.withExpectedRevision(revision);
  }

  /** Precondition: the match has this revision; null for none. */
  public PlayOptions withExpectedRevision(@Nullable Integer revision) {
    return new PlayOptions(revision, requestId, includeView);
  }

  /** Sets the request id. */
  public PlayOptions withRequestId(String requestId) {
    return new PlayOptions(expectedRevision, requestId, includeView);
  }

  /** Requests the view after the move. */
  public PlayOptions withView() {
    return new PlayOptions(expectedRevision, requestId, true);
  }
}
