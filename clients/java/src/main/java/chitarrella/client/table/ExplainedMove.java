package chitarrella.client.table;

import java.util.List;

/**
 * A move, legal or not, with the clauses it breaks.
 *
 * @param move the move
 * @param refusals every clause it breaks; empty if it is legal; if that depends on unknown parts,
 *     every clause it may break
 * @param dependsOn the unknown parts of a partial position that its legality depends on, such as
 *     "trump"
 */
public record ExplainedMove(Move move, List<Refusal> refusals, List<String> dependsOn) {

  /** Whether it breaks no clause, whatever the unknown parts of a partial position are. */
  public boolean legal() {
    return refusals.isEmpty();
  }

  /** Whether its legality depends on unknown parts of a partial position. */
  public boolean undecided() {
    return !dependsOn.isEmpty();
  }
}
