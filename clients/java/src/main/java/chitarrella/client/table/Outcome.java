// How a match ended.
package chitarrella.client.table;

import java.util.List;

/**
 * How a match ended.
 *
 * @param winners the seats that have won; none where it is drawn
 */
public record Outcome(List<Integer> winners) {}
