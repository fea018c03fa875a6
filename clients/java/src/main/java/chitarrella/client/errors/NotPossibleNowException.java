package chitarrella.client.errors;

/** The match is not in the state for the call. */
public final class NotPossibleNowException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public NotPossibleNowException(ErrorDetails details) {
    super(details);
  }
}
