package chitarrella.client.answers;

import chitarrella.client.table.Agreement;

/**
 * A position and its agreement.
 *
 * @param agreement its agreement
 * @param line the text form, written by the service
 */
public record Position(Agreement agreement, String line) {}
