// What came of moves that were played in a position, as the referee sees it.
package chitarrella.client.answers;

import chitarrella.client.table.Event;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of moves that were played in a position, as the referee sees it.
 *
 * @param position after the last move that was accepted
 * @param played how many were accepted
 * @param refusals why the next one was refused; empty where all were accepted
 * @param events all that happened
 * @param view the table after it
 * @param wanted what the table has to supply
 * @param points what each seat has taken in this deal, in points of the first count
 */
public record PlayedMoves(
    Position position,
    int played,
    List<Refusal> refusals,
    List<Event> events,
    View view,
    @Nullable Wanted wanted,
    List<Integer> points) {}
