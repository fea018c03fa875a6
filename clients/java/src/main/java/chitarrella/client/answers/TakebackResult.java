package chitarrella.client.answers;

import java.util.List;

/**
 * The result of a takeback request.
 *
 * @param revision the revision after it
 * @param takenBack whether the decision was taken back
 * @param awaitingAnswersFrom the seats that have not answered yet
 */
public record TakebackResult(int revision, boolean takenBack, List<Integer> awaitingAnswersFrom) {}
