package chitarrella.client.answers;

import chitarrella.client.table.Agreement;
import java.time.Instant;

/**
 * An entry of the list of a platform's matches.
 *
 * @param match its id
 * @param agreement its agreement
 * @param revision the number of public moves
 * @param openedAt when it was created
 * @param over whether it is finished
 * @param ended whether it was aborted
 * @param isPrivate whether it is hidden from everybody without a key
 */
public record MatchSummary(
    String match,
    Agreement agreement,
    int revision,
    Instant openedAt,
    boolean over,
    boolean ended,
    boolean isPrivate) {}
