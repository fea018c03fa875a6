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

  private final transient Trouble trouble;

  /** With the details of the error. */
  public ChitarrellaException(Trouble trouble) {
    super(trouble.message() + " [" + trouble.code() + "]");
    this.trouble = trouble;
  }

  /**
   * The code of the service, or the gRPC status in lower case if the call or its response was lost.
   */
  public final String code() {
    return trouble.code();
  }

  /** The code as a constant; {@link ErrorCode#OTHER} for one that this client does not know. */
  public final ErrorCode reason() {
    return ErrorCode.of(trouble.code());
  }

  /** The message, without the code; {@link #getMessage} has both. */
  public final String message() {
    return trouble.message();
  }

  /** The invalid field; empty for none. */
  public final String field() {
    return trouble.field();
  }

  /** All invalid fields. */
  public final List<Violation> violations() {
    return trouble.violations();
  }

  /** All details. */
  public final Trouble trouble() {
    return trouble;
  }

  /**
   * The request id of the failed writing call: repeating the call with it has no second effect;
   * empty for none.
   */
  public final String requestId() {
    return trouble.requestId();
  }

  /** Whether the error comes from the service; false if the call or its response was lost. */
  public final boolean fromService() {
    return trouble.fromService();
  }
}
