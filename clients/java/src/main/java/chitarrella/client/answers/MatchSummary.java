// A match of the platform in one line.
package chitarrella.client.answers;

import chitarrella.client.table.Agreement;
import java.time.Instant;

/**
 * A match of the platform in one line.
 *
 * @param match its name
 * @param agreement what is played
 * @param revision counts the moves that everybody may know of
 * @param openedAt when it was opened
 * @param over it was played to its end
 * @param ended it was ended before its time
 * @param isPrivate nobody without a key may look
 */
public record MatchSummary(
    String match,
    Agreement agreement,
    int revision,
    Instant openedAt,
    boolean over,
    boolean ended,
    boolean isPrivate) {}
