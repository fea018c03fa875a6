// A verdict on a move in a match.
package chitarrella.client.answers;

import chitarrella.client.table.Refusal;
import java.util.List;

/**
 * A verdict on a move in a match.
 *
 * @param accepted it would be accepted
 * @param refusals every clause it breaks
 * @param revision what this holds for
 */
public record MatchVerdict(boolean accepted, List<Refusal> refusals, int revision) {}
