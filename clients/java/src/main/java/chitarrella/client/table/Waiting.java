// Whom the table waits for.
package chitarrella.client.table;

/** Whom the table waits for. */
public enum Waiting {
  /** Somebody that only a newer client knows. */
  UNKNOWN,
  /** A seat is to move. */
  SEAT,
  /** The table is to hand in a pack or to draw a lot. */
  TABLE,
  /** The match is over. */
  NOBODY
}
