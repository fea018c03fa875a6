package chitarrella.client.answers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shuffle or a lot; {@link chitarrella.client.Fairness} verifies it.
 *
 * @param number counts the draws of the match from 1
 * @param revision the revision after it
 * @param verb the verb of its move
 * @param handedIn whether it was supplied by the referee, so that there is no proof
 * @param commitment published before the draw, in hexadecimal digits
 * @param words the contributions of the seats, in the order of seats
 * @param nonce empty as long as it would reveal hidden cards
 * @param cards the shuffled pack; empty as long as it would reveal hidden cards
 * @param amount the lot; null for a shuffle
 * @param lots the possible lots
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
