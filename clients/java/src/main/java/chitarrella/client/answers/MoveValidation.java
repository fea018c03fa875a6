package chitarrella.client.answers;

import chitarrella.client.table.Refusal;
import java.util.List;

/**
 * The result of validating a move.
 *
 * @param accepted whether it would be accepted
 * @param refusals every clause it breaks, in order
 */
public record MoveValidation(boolean accepted, List<Refusal> refusals) {}
