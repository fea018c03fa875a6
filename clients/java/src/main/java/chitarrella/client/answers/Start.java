package chitarrella.client.answers;

import chitarrella.client.table.View;
import org.jspecify.annotations.Nullable;

/**
 * The start of a match.
 *
 * @param position the initial position
 * @param wanted the result of chance that the position awaits; null for none
 * @param view the public view
 */
public record Start(Position position, @Nullable Wanted wanted, View view) {}
