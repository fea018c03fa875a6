/** Value types: rule sets, moves, events, views, refusals. */
@NullMarked
package chitarrella.client.table;

import org.jspecify.annotations.NullMarked;
