package chitarrella.client.answers;

import chitarrella.client.table.Event;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a move.
 *
 * @param accepted whether it was played
 * @param refusals every clause it breaks; if it was accepted, breaches that stand but are penalised
 * @param revision the revision after it
 * @param events the events, as visible to the mover
 * @param view the view after it, if requested
 * @param repeatedRequest whether the request id was used before: the first result is returned,
 *     nothing was played again
 */
public record MoveResult(
    boolean accepted,
    List<Refusal> refusals,
    int revision,
    List<Event> events,
    @Nullable View view,
    boolean repeatedRequest) {}
