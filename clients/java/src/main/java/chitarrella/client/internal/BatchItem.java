package chitarrella.client.internal;

import chitarrella.v1.Answer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A question of a batch as a message, and how its answer is read.
 *
 * @param <T> the answer
 */
public abstract class BatchItem<T> {
  final chitarrella.v1.Question message;
  final @Nullable BatchItem<?> earlier;
  final Function<Answer, T> read;

  /**
   * A question.
   *
   * @param message the message, without the index of an earlier question
   * @param earlier the earlier question whose position it has; null for its own position, or none
   * @param read reads the answer
   */
  protected BatchItem(
      chitarrella.v1.Question message, @Nullable BatchItem<?> earlier, Function<Answer, T> read) {
    this.message = message;
    this.earlier = earlier;
    this.read = read;
  }
}
