package chitarrella.client.errors;

/** The request id was used before, for something else. */
public final class AlreadyExistsException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public AlreadyExistsException(ErrorDetails details) {
    super(details);
  }
}
