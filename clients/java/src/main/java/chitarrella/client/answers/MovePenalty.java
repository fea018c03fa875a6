package chitarrella.client.answers;

import chitarrella.client.table.Refusal;
import java.util.List;

/**
 * An accepted move that breaks clauses at a price.
 *
 * @param index the index of the move, the first being 0
 * @param refusals the clauses that it breaks
 */
public record MovePenalty(int index, List<Refusal> refusals) {}
