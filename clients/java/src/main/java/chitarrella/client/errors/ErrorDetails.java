package chitarrella.client.errors;

import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The details of an error.
 *
 * @param code the reason code
 * @param message the explanation
 * @param field the invalid field; empty for none
 * @param violations all invalid fields
 * @param details other values by name
 * @param status the gRPC status; null if no call was made
 * @param requestId of the failed writing call; empty for none
 * @param fromService whether the error comes from the service; false if the call or its response
 *     was lost, or nothing was sent
 */
public record ErrorDetails(
    String code,
    String message,
    String field,
    List<Violation> violations,
    Map<String, String> details,
    Status.@Nullable Code status,
    String requestId,
    boolean fromService) {

  /** Details with a code and a message only. */
  public static ErrorDetails of(String code, String message) {
    return new ErrorDetails(code, message, "", List.of(), Map.of(), null, "", false);
  }

  /** Details of a mistake of the caller: nothing was sent. */
  public static ErrorDetails mistake(String field, String message) {
    return new ErrorDetails(
        "bad_request",
        message,
        field,
        List.of(),
        Map.of(),
        Status.Code.INVALID_ARGUMENT,
        "",
        false);
  }

  /** Contains no request id: with that of a creation the keys are returned. */
  @Override
  public String toString() {
    return "ErrorDetails[" + code + ", " + message + ", " + field + ", " + details + "]";
  }

  /**
   * An invalid field.
   *
   * @param field its path, such as "rule_set.game_id"
   * @param message why it is invalid
   */
  public record Violation(String field, String message) {}
}
