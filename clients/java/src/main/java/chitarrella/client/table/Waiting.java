package chitarrella.client.table;

/** Who is to move. */
public enum Waiting {
  /** A value of a newer service. */
  UNKNOWN,
  /** A seat is to move. */
  SEAT,
  /** Chance is to move: a pack or a lot is awaited. */
  CHANCE,
  /** The match is finished. */
  NOBODY
}
