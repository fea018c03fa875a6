package chitarrella.client.answers;

import chitarrella.client.table.Event;
import java.util.List;

/**
 * An update: the visible events of one move.
 *
 * @param revision after the move
 * @param cursor to resume behind it
 * @param events the visible events
 */
public record MatchUpdate(int revision, String cursor, List<Event> events) {}
