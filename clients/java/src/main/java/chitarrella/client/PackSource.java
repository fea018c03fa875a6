package chitarrella.client;

/** Who supplies the packs of a match. */
public enum PackSource {
  /** The service shuffles. */
  SERVICE,
  /**
   * The referee supplies every pack as a move, "start_deal": a physical pack, or another shuffle.
   */
  REFEREE,
  /** The service shuffles once every person has added a seed, see {@link Match#contributeSeed}. */
  SHARED
}
