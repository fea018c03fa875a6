// What a move looks like.
package chitarrella.client.answers;

import java.util.List;

/**
 * What a move looks like: which arguments its verb takes, and when it belongs.
 *
 * @param verb its verb
 * @param means what it means
 * @param phases the phases it belongs to
 * @param leastCards the least number of cards it takes
 * @param mostCards the greatest number of cards it takes
 * @param words the words it takes; an empty one says that it also goes without
 * @param amount it takes a number
 * @param seat it may name the seat whose card is moved
 * @param shares it takes amounts by person
 * @param outOfTurn it does not wait for its seat's turn
 * @param byTable it is made by the table, not by a person
 * @param lapse it is what a seat is taken to do that lets its time run out
 */
public record MoveForm(
    String verb,
    String means,
    List<String> phases,
    int leastCards,
    int mostCards,
    List<String> words,
    boolean amount,
    boolean seat,
    boolean shares,
    boolean outOfTurn,
    boolean byTable,
    boolean lapse) {}
