// Who hands in the packs.
package chitarrella.client;

/** Who hands in the packs of a match. */
public enum PackSource {
  /** The service shuffles. */
  SERVICE,
  /**
   * The referee hands in every pack as a move, "start_deal": a physical pack, or another shuffle.
   */
  REFEREE,
  /** The service shuffles when every person has added a word, see {@link Match#contribute}. */
  SHARED
}
