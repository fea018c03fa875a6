package chitarrella.client.errors;

/** The service cannot be reached, or the response was lost. */
public final class UnavailableException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public UnavailableException(ErrorDetails details) {
    super(details);
  }
}
