package chitarrella.client.table;

/**
 * A clause of the rule book.
 *
 * @param key stable, such as "CO-17"
 * @param text the text, in the language of the client
 * @param source its document, or "ruling" if no document says it
 */
public record Clause(String key, String text, String source) {

  /** The key and the text. */
  @Override
  public String toString() {
    return key + ": " + text;
  }
}
