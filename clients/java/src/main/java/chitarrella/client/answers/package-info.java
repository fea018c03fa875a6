/** Responses about games, positions, matches and draws, as values. */
@NullMarked
package chitarrella.client.answers;

import org.jspecify.annotations.NullMarked;
