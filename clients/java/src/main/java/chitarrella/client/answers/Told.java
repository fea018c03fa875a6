// What somebody learns of one move.
package chitarrella.client.answers;

import chitarrella.client.table.Event;
import java.util.List;

/**
 * What somebody learns of one move.
 *
 * @param revision the revision that these events belong to
 * @param cursor where watching goes on after it
 * @param events what happened
 */
public record Told(int revision, String cursor, List<Event> events) {}
