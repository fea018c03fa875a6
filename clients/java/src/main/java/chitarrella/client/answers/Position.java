// A position with the agreement it is played under.
package chitarrella.client.answers;

import chitarrella.client.table.Agreement;

/**
 * A position with the agreement it is played under.
 *
 * @param agreement what is played
 * @param line written by the service and only handed back
 */
public record Position(Agreement agreement, String line) {}
