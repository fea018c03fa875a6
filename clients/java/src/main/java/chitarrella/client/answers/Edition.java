// A version of the rules of a game.
package chitarrella.client.answers;

/**
 * A version of the rules of a game.
 *
 * @param number its number
 * @param changes what changed with it, in a sentence
 * @param kept it is still at hand, for matches and records that began with it
 */
public record Edition(int number, String changes, boolean kept) {}
