package chitarrella.client.errors;

/** The key does not allow this call. */
public final class NotAllowedException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public NotAllowedException(ErrorDetails details) {
    super(details);
  }
}
