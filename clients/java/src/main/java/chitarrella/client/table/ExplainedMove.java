package chitarrella.client.table;

import java.util.List;

/**
 * A move, legal or not, with the clauses it breaks.
 *
 * @param move the move
 * @param refusals every clause it breaks; empty if it is legal
 */
public record ExplainedMove(Move move, List<Refusal> refusals) {

  /** Whether it breaks no clause. */
  public boolean legal() {
    return refusals.isEmpty();
  }
}
