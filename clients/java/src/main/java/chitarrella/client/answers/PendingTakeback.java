package chitarrella.client.answers;

import java.util.List;

/**
 * A request to take back the last decision.
 *
 * @param seat the seat that made the decision and the request
 * @param awaitingAnswersFrom the seats that have not answered yet
 */
public record PendingTakeback(int seat, List<Integer> awaitingAnswersFrom) {}
