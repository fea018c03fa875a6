package chitarrella.client.answers;

import java.util.List;

/**
 * The result of a contribution to a shuffle.
 *
 * @param revision the revision after it
 * @param wordsAwaited the seats whose words are still awaited; empty once the pack is dealt
 */
public record Awaited(int revision, List<Integer> wordsAwaited) {}
