// What came of a move.
package chitarrella.client.answers;

import chitarrella.client.table.Event;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a move.
 *
 * @param accepted it was made
 * @param refusals every clause it breaks; where it is accepted, a breach that the rules let happen
 *     at a price
 * @param revision the revision after it
 * @param events what happened, as the mover may know it
 * @param view the table after it, where it was asked for
 * @param repeatedRequest this request id had been played before: nothing happened now
 */
public record Played(
    boolean accepted,
    List<Refusal> refusals,
    int revision,
    List<Event> events,
    @Nullable View view,
    boolean repeatedRequest) {}
