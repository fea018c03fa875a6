// One sentence of the rule book.
package chitarrella.client.table;

/**
 * One sentence of the rule book.
 *
 * @param key its number, such as "CO-17": it never changes its meaning
 * @param says the sentence, in the language of the client
 * @param source the document it rests on, or "ruling" where the documents are silent
 */
public record Clause(String key, String says, String source) {

  /** Quotes it. */
  @Override
  public String toString() {
    return key + ": " + says;
  }
}
