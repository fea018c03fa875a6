package chitarrella.client.answers;

import chitarrella.client.table.View;
import org.jspecify.annotations.Nullable;

/**
 * The start of a game.
 *
 * @param position the initial position
 * @param chanceRequest the move that chance has to make; null for none
 * @param view the public view
 */
public record GameStart(Position position, @Nullable ChanceRequest chanceRequest, View view) {}
