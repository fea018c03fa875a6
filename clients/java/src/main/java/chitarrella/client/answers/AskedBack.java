// An ask to take back the last decision.
package chitarrella.client.answers;

import java.util.List;

/**
 * An ask to take back the last decision.
 *
 * @param seat who made the decision, and asks
 * @param awaited the seats that have not answered yet
 */
public record AskedBack(int seat, List<Integer> awaited) {}
