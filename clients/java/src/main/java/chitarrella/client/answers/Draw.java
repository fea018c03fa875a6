// A pack or a lot that was drawn; {@link chitarrella.
package chitarrella.client.answers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pack or a lot that was drawn; {@link chitarrella.client.Fairness} checks it.
 *
 * @param number counts the draws of the match from 1
 * @param revision the revision after it
 * @param verb the move with which it came to the table
 * @param handedIn it was handed in: there is nothing to prove it by
 * @param commitment what was published before the draw, in hexadecimal digits
 * @param words the words that seats had added, in the order of seats
 * @param nonce empty as long as it could tell of hidden cards
 * @param cards the pack as it was dealt; empty as long as it could tell of hidden cards
 * @param amount the lot; null where a pack was drawn
 * @param lots the lots there were
 */
public record Draw(
    int number,
    int revision,
    String verb,
    boolean handedIn,
    String commitment,
    List<Contribution> words,
    String nonce,
    List<String> cards,
    @Nullable Integer amount,
    List<Integer> lots) {}
