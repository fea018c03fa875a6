package chitarrella.client.answers;

import java.util.List;

/**
 * The specification of a kind of move: its arguments and its phases.
 *
 * @param verb its verb
 * @param description what it does
 * @param phases the phases in which it is allowed
 * @param minCards the least number of cards it takes
 * @param maxCards the greatest number of cards it takes
 * @param choices the values of the choice; an empty one if the choice is optional
 * @param amount whether it takes a number
 * @param seat whether it may name the seat whose card is played
 * @param shares whether it takes amounts by person
 * @param outOfTurn whether it is allowed out of turn
 * @param byChance whether it is a move of chance
 * @param timeoutDefault whether it is the default move of a seat that is out of time
 */
public record MoveSpec(
    String verb,
    String description,
    List<String> phases,
    int minCards,
    int maxCards,
    List<String> choices,
    boolean amount,
    boolean seat,
    boolean shares,
    boolean outOfTurn,
    boolean byChance,
    boolean timeoutDefault) {}
