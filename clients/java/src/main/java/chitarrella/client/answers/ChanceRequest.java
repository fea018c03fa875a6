package chitarrella.client.answers;

import java.util.List;

/**
 * A move that chance has to make: cards in some order, or one of some numbers.
 *
 * @param verb the verb of the move
 * @param cards the cards to be ordered
 * @param amounts the numbers to choose one from
 */
public record ChanceRequest(String verb, List<String> cards, List<Integer> amounts) {}
