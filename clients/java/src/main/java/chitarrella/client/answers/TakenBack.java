// What came of an ask to take back.
package chitarrella.client.answers;

import java.util.List;

/**
 * What came of an ask to take back.
 *
 * @param revision the revision after it
 * @param takenBack the decision is taken back
 * @param awaited the seats that have not answered yet
 */
public record TakenBack(int revision, boolean takenBack, List<Integer> awaited) {}
