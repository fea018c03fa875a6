package chitarrella.client.answers;

/**
 * An edition of the rules of a game.
 *
 * @param number its number
 * @param changes what changed with it
 * @param kept whether it is still available, for matches and records that began with it
 */
public record Edition(int number, String changes, boolean kept) {}
