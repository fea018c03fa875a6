// What differs between two games, or two agreements on one.
package chitarrella.client.answers;

import java.util.List;

/**
 * What differs between two games, or two agreements on one.
 *
 * @param differences in order: pack, players, options, moves, reasons, clauses
 * @param clausesAlike how many clauses say the same in both
 */
public record Comparison(List<Difference> differences, int clausesAlike) {}
