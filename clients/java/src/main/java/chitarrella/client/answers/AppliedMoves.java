package chitarrella.client.answers;

import chitarrella.client.table.Event;
import chitarrella.client.table.Move;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of moves in a position, as visible to the referee.
 *
 * @param position after the last accepted move
 * @param applied how many were accepted
 * @param refusals why the next one was refused; empty if all were accepted
 * @param penalties the accepted moves that break clauses at a price
 * @param events of all moves
 * @param view the view after them
 * @param chanceRequest the move that chance has to make; null for none
 * @param points the points of each seat in this deal, by the first count
 * @param legalMoves the legal moves of the seat to move, which is the turn of the view
 */
public record AppliedMoves(
    Position position,
    int applied,
    List<Refusal> refusals,
    List<MovePenalty> penalties,
    List<Event> events,
    View view,
    @Nullable ChanceRequest chanceRequest,
    List<Integer> points,
    List<Move> legalMoves) {}
