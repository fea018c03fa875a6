package chitarrella.client.errors;

/** The service itself has failed. */
public final class InternalException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public InternalException(ErrorDetails details) {
    super(details);
  }
}
