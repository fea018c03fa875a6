package chitarrella.client.errors;

import chitarrella.client.errors.ErrorDetails.Violation;
import chitarrella.client.table.Refusal;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

  /** The request id was used before, for something else. */
  public static final class AlreadyExistsException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public AlreadyExistsException(ErrorDetails details) {
      super(details);
    }
  }

  /** The request is invalid; {@link #field} and {@link #violations} say where. */
  public static final class BadRequestException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public BadRequestException(ErrorDetails details) {
      super(details);
    }
  }

  /** The service itself has failed. */
  public static final class InternalException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public InternalException(ErrorDetails details) {
      super(details);
    }
  }

  /** The key does not allow this call. */
  public static final class NotAllowedException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public NotAllowedException(ErrorDetails details) {
      super(details);
    }
  }

  /** A key is missing or unknown. */
  public static final class NotAuthenticatedException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public NotAuthenticatedException(ErrorDetails details) {
      super(details);
    }
  }

  /** The match or game does not exist. */
  public static final class NotFoundException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public NotFoundException(ErrorDetails details) {
      super(details);
    }
  }

  /** The match is not in the state for the call. */
  public static final class NotPossibleNowException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public NotPossibleNowException(ErrorDetails details) {
      super(details);
    }
  }

  /** A limit is reached; the call may succeed later, or with a smaller request. */
  public static final class ResourceExhaustedException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public ResourceExhaustedException(ErrorDetails details) {
      super(details);
    }
  }

  /** No response in time. */
  public static final class TimedOutException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public TimedOutException(ErrorDetails details) {
      super(details);
    }
  }

  /** The service cannot be reached, or the response was lost. */
  public static final class UnavailableException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public UnavailableException(ErrorDetails details) {
      super(details);
    }
  }

  /** The match has another revision than the expected one. */
  public static final class StaleRevisionException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    /** With the details of the error. */
    public StaleRevisionException(ErrorDetails details) {
      super(details);
    }

    /** The current revision; null if unknown. */
    public @Nullable Integer revision() {
      var revision = details().details().get("revision");
      return revision == null ? null : Integer.valueOf(revision);
    }

    /** Whether the move would be accepted at the current revision; null if unknown. */
    public @Nullable Boolean stillLegal() {
      var legal = details().details().get("still_legal");
      return legal == null ? null : Boolean.valueOf(legal);
    }
  }

  /** A refused move; only {@code playOrThrow} throws it. */
  public static final class RefusedException extends ChitarrellaException {
    private static final long serialVersionUID = 1L;

    private final transient List<Refusal> refusals;
    private final int revision;

    /** With the refusals of the response; the code is that of the first. */
    public RefusedException(List<Refusal> refusals, int revision) {
      super(
          ErrorDetails.of(
              refusals.isEmpty() ? "refused" : refusals.get(0).code(),
              refusals.stream().map(Refusal::message).collect(Collectors.joining(" "))));
      this.refusals = List.copyOf(refusals);
      this.revision = revision;
    }

    /** The clauses that the move breaks. */
    public List<Refusal> refusals() {
      return refusals;
    }

    /** The revision of the match. */
    public int revision() {
      return revision;
    }
  }
}
