package chitarrella.client.answers;

import chitarrella.client.table.Refusal;
import java.util.List;

/**
 * The result of validating a move.
 *
 * @param accepted whether it would be accepted; for a partial position, whatever the unknown parts
 *     are
 * @param refusals every clause it breaks, in order; if that depends on unknown parts, every clause
 *     it may break
 * @param dependsOn the unknown parts of a partial position that this depends on, such as "trump"
 */
public record MoveValidation(boolean accepted, List<Refusal> refusals, List<String> dependsOn) {}
