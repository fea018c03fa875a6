// A beginning.
package chitarrella.client.answers;

import chitarrella.client.table.View;
import org.jspecify.annotations.Nullable;

/**
 * A beginning.
 *
 * @param position the position before the first card
 * @param wanted what the table has to supply; null for nothing
 * @param view the table as everybody sees it
 */
public record Start(Position position, @Nullable Wanted wanted, View view) {}
