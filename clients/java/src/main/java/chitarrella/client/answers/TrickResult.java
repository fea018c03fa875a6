package chitarrella.client.answers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The winner of a trick, and what the trick counts.
 *
 * @param winningIndex the index of the winning card in order of play, the first being 0; null if it
 *     depends on an unknown part
 * @param winningCard the winning card; empty if it depends on an unknown part
 * @param scores a score in each count of the game; empty if they depend on an unknown trump suit
 * @param dependsOn the unknown parts that the result depends on, such as "trump"
 */
public record TrickResult(
    @Nullable Integer winningIndex,
    String winningCard,
    List<Score> scores,
    List<String> dependsOn) {}
