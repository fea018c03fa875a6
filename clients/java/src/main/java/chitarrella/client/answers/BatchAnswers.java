package chitarrella.client.answers;

import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.internal.BatchItem;
import java.util.Map;

/** The answers to the questions of a batch. */
public final class BatchAnswers {
  private final Map<BatchItem<?>, Object> outcomes;

  /** With the answer or the {@link ChitarrellaException} of each question, by identity. */
  public BatchAnswers(Map<BatchItem<?>, Object> outcomes) {
    this.outcomes = outcomes;
  }

  /**
   * The answer to a question of the batch.
   *
   * @throws ChitarrellaException if this question has an error; it has no status
   * @throws IllegalArgumentException if the question is not one of the batch
   */
  @SuppressWarnings("unchecked") // a question stands beside what it has read itself
  public <T> T get(BatchItem<T> question) {
    var outcome = outcomes.get(question);
    if (outcome == null) {
      throw new IllegalArgumentException("this question is not one of the batch");
    }
    if (outcome instanceof ChitarrellaException error) {
      throw error;
    }
    return (T) outcome;
  }
}
