package chitarrella.client.errors;

/** A key is missing or unknown. */
public final class NotAuthenticatedException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public NotAuthenticatedException(ErrorDetails details) {
    super(details);
  }
}
