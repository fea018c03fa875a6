// The particulars of an error.
package chitarrella.client.errors;

import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The particulars of an error.
 *
 * @param code the reason code
 * @param because the same in a sentence
 * @param field the field at fault; empty for none
 * @param violations every field at fault
 * @param details what else the service says, by name
 * @param status the gRPC status; null where no call was made
 * @param requestId that of the writing call that failed; empty for none
 * @param fromService the service has said this; false where the call failed on its way
 */
public record Trouble(
    String code,
    String because,
    String field,
    List<Violation> violations,
    Map<String, String> details,
    Status.@Nullable Code status,
    String requestId,
    boolean fromService) {

  /** Makes trouble of a code and a sentence, without a call. */
  public static Trouble of(String code, String because) {
    return new Trouble(code, because, "", List.of(), Map.of(), null, "", false);
  }
}
