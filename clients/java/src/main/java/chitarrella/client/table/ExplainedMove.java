// One thing a seat might do, with the clauses against it.
package chitarrella.client.table;

import java.util.List;

/**
 * One thing a seat might do, with the clauses against it.
 *
 * @param move what it might do
 * @param refusals every clause it would break; none if it is legal
 */
public record ExplainedMove(Move move, List<Refusal> refusals) {

  /** Tells whether no clause is against it. */
  public boolean legal() {
    return refusals.isEmpty();
  }
}
