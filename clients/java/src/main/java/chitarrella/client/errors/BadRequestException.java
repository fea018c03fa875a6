package chitarrella.client.errors;

/** The request is invalid; {@link #field} and {@link #violations} say where. */
public final class BadRequestException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public BadRequestException(ErrorDetails details) {
    super(details);
  }
}
