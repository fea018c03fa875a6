package chitarrella.client.answers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shuffle of a pack, or a lot; {@link chitarrella.client.Fairness} verifies it.
 *
 * @param number counts the shuffles and lots of the match from 1
 * @param revision the revision after it
 * @param verb the verb of its move
 * @param supplied whether it was supplied, by the referee or with the match, so that there is no
 *     proof
 * @param commitment published before the shuffle, in hexadecimal digits
 * @param clientSeeds the seeds of the seats, in the order of seats
 * @param nonce empty as long as it would reveal hidden cards
 * @param cards the shuffled pack; empty as long as it would reveal hidden cards
 * @param amount the lot; null for a pack
 * @param lots the possible lots
 */
public record Shuffle(
    int number,
    int revision,
    String verb,
    boolean supplied,
    String commitment,
    List<ClientSeed> clientSeeds,
    String nonce,
    List<String> cards,
    @Nullable Integer amount,
    List<Integer> lots) {}
