package chitarrella.client.errors;

/** The match or game does not exist. */
public final class NotFoundException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public NotFoundException(ErrorDetails details) {
    super(details);
  }
}
