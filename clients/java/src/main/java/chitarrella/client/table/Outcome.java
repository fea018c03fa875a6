package chitarrella.client.table;

import java.util.List;

/**
 * The outcome of a match.
 *
 * @param winners the seats that have won; empty for a draw
 */
public record Outcome(List<Integer> winners) {}
