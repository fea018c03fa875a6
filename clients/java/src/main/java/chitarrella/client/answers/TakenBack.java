package chitarrella.client.answers;

import java.util.List;

/**
 * The result of a takeback request.
 *
 * @param revision the revision after it
 * @param takenBack whether the decision was taken back
 * @param awaited the seats that have not answered yet
 */
public record TakenBack(int revision, boolean takenBack, List<Integer> awaited) {}
