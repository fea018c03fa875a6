package chitarrella.client.errors;

import java.util.List;

/**
 * The error of a call: a machine-readable code, an English message, and the invalid field, if any.
 *
 * <p>The subclasses stand for gRPC statuses; an error with another status is an instance of this
 * class.
 */
public class ChitarrellaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ErrorDetails details;

  /** With the details of the error. */
  public ChitarrellaException(ErrorDetails details) {
    super(details.message() + " [" + details.code() + "]");
    this.details = details;
  }

  /**
   * The code of the service, or the gRPC status in lower case if the call or its response was lost.
   */
  public final String code() {
    return details.code();
  }

  /** The code as a constant; {@link ErrorCode#OTHER} for one that this client does not know. */
  public final ErrorCode reason() {
    return ErrorCode.of(details.code());
  }

  /** The message, without the code; {@link #getMessage} has both. */
  public final String message() {
    return details.message();
  }

  /** The invalid field; empty for none. */
  public final String field() {
    return details.field();
  }

  /** All invalid fields. */
  public final List<Violation> violations() {
    return details.violations();
  }

  /** All details. */
  public final ErrorDetails details() {
    return details;
  }

  /**
   * The request id of the failed writing call: repeating the call with it has no second effect;
   * empty for none.
   */
  public final String requestId() {
    return details.requestId();
  }

  /** Whether the error comes from the service; false if the call or its response was lost. */
  public final boolean fromService() {
    return details.fromService();
  }
}
