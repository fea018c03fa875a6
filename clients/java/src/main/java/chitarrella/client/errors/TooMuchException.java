package chitarrella.client.errors;

/** A limit is reached; the call may succeed later, or with a smaller request. */
public final class TooMuchException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public TooMuchException(ErrorDetails details) {
    super(details);
  }
}
