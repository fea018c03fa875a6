package chitarrella.client.answers;

import java.util.List;

/**
 * The specification of a kind of move: its arguments and its phases.
 *
 * @param verb its verb
 * @param means the description
 * @param phases the phases in which it is allowed
 * @param leastCards the least number of cards it takes
 * @param mostCards the greatest number of cards it takes
 * @param words the values of the word; an empty one if the word is optional
 * @param amount whether it takes a number
 * @param seat whether it may name the seat whose card is moved
 * @param shares whether it takes amounts by person
 * @param outOfTurn whether it is allowed out of turn
 * @param byTable whether it is a move of chance
 * @param lapse whether it is the default move of a seat that is out of time
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
