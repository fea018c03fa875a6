// What came of a word for the shuffle.
package chitarrella.client.answers;

import java.util.List;

/**
 * What came of a word for the shuffle.
 *
 * @param revision the revision after it
 * @param wordsAwaited the seats whose words are still waited for; none when the pack was dealt
 */
public record Awaited(int revision, List<Integer> wordsAwaited) {}
