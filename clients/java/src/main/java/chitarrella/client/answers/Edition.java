package chitarrella.client.answers;

/**
 * An edition of the rules of a game.
 *
 * @param number its number
 * @param changes what changed with it
 * @param supported whether matches and records that began with it can still be played
 */
public record Edition(int number, String changes, boolean supported) {}
