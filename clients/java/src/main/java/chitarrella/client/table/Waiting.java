package chitarrella.client.table;

/** Who is to move. */
public enum Waiting {
  /** A value of a newer service. */
  UNKNOWN,
  /** A seat is to move. */
  SEAT,
  /** A shuffle or a lot is awaited. */
  TABLE,
  /** The match is over. */
  NOBODY
}
