// Whether a move would be accepted, and every clause it breaks.
package chitarrella.client.answers;

import chitarrella.client.table.Refusal;
import java.util.List;

/**
 * Whether a move would be accepted, and every clause it breaks.
 *
 * @param accepted it would be accepted
 * @param refusals every clause it breaks, in the order of asking
 */
public record Verdict(boolean accepted, List<Refusal> refusals) {}
