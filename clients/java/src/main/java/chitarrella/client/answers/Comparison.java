package chitarrella.client.answers;

import java.util.List;

/**
 * The differences between two games, or two rule sets of one.
 *
 * @param differences in order: pack, players, options, moves, reasons, clauses
 * @param sameClauses how many clauses have the same text in both
 */
public record Comparison(List<Difference> differences, int sameClauses) {}
