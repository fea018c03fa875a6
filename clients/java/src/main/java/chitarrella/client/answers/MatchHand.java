package chitarrella.client.answers;

import chitarrella.client.table.ExplainedMove;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The explained hand of a seat in a match.
 *
 * @param moves the moves, legal or not
 * @param seat the seat whose hand this is
 * @param revision of the match
 */
public record MatchHand(List<ExplainedMove> moves, @Nullable Integer seat, int revision) {}
