/** Responses about games, positions, matches and shuffles, as values. */
@NullMarked
package chitarrella.client.answers;

import org.jspecify.annotations.NullMarked;
