package chitarrella.client.internal;

import chitarrella.client.answers.RulesAnswers.BatchAnswers;
import chitarrella.v1.Answer;
import chitarrella.v1.BatchRequest;
import chitarrella.v1.BatchResponse;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds batches of questions, and reads their answers. */
public final class Batches {
  private Batches() {}

  /** Asks many questions. */
  public static BatchRequest request(List<? extends BatchItem<?>> questions) {
    var indices = new IdentityHashMap<BatchItem<?>, Integer>();
    var batch = BatchRequest.newBuilder();
    for (var question : questions) {
      var message = question.message.toBuilder();
      if (question.earlier != null) {
        var index = indices.get(question.earlier);
        if (index == null) {
          throw new IllegalArgumentException(
              "question " + indices.size() + " has the position of one that is not before it");
        }
        message.setPositionOf(index);
      }
      if (indices.put(question, indices.size()) != null) {
        throw new IllegalArgumentException("a question is in the batch twice");
      }
      batch.addQuestions(message);
    }
    return batch.build();
  }

  /** Reads the answer, or the error, of each question. */
  public static BatchAnswers answers(
      List<? extends BatchItem<?>> questions, BatchResponse response) {
    Map<BatchItem<?>, Object> found = new IdentityHashMap<>();
    for (int place = 0; place < questions.size(); place++) {
      found.put(questions.get(place), read(questions.get(place), response.getAnswers(place)));
    }
    return new BatchAnswers(found);
  }

  private static Object read(BatchItem<?> question, Answer answer) {
    return answer.hasError() ? ErrorMapper.map(answer.getError()) : question.read.apply(answer);
  }

  /**
   * A question of a batch as a message, and how its answer is read.
   *
   * @param <T> the answer
   */
  public abstract static class BatchItem<T> {
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
}
