/**
 * The nouns of a card table as values: what lies on it, what seats do, what happens, why a move is
 * refused.
 */
@NullMarked
package chitarrella.client.table;

import org.jspecify.annotations.NullMarked;
