// The root of the family of errors.
package chitarrella.client.errors;

import java.util.List;

/**
 * What went wrong: a code to switch on, an English sentence, and the field at fault, if one is.
 *
 * <p>Its subclasses stand for kinds of trouble; an error that none of them stands for is a plain
 * one, with the gRPC status as its code.
 */
public class ChitarrellaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Trouble trouble;

  /** Says what went wrong. */
  public ChitarrellaException(Trouble trouble) {
    super(trouble.because() + " [" + trouble.code() + "]");
    this.trouble = trouble;
  }

  /**
   * The code: the service's own, or the gRPC status in small letters where the call failed on its
   * way.
   */
  public final String code() {
    return trouble.code();
  }

  /** The code to switch on: {@link ErrorCode#OTHER} for one that this client does not know. */
  public final ErrorCode reason() {
    return ErrorCode.of(trouble.code());
  }

  /** The same in a sentence, without the code. */
  public final String because() {
    return trouble.because();
  }

  /** The field at fault; empty for none. */
  public final String field() {
    return trouble.field();
  }

  /** Every field at fault. */
  public final List<Violation> violations() {
    return trouble.violations();
  }

  /** All particulars. */
  public final Trouble trouble() {
    return trouble;
  }

  /**
   * That of the writing call that failed: the same call with it does nothing twice; empty for none.
   */
  public final String requestId() {
    return trouble.requestId();
  }

  /** Tells whether the service has said this; false where the call failed on its way. */
  public final boolean fromService() {
    return trouble.fromService();
  }
}
