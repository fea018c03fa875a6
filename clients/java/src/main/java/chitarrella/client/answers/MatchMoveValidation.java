package chitarrella.client.answers;

import chitarrella.client.table.Refusal;
import java.util.List;

/**
 * The result of validating a move in a match.
 *
 * @param accepted whether it would be accepted
 * @param refusals every clause it breaks
 * @param revision of the match
 */
public record MatchMoveValidation(boolean accepted, List<Refusal> refusals, int revision) {}
