package chitarrella.client.errors;

/** A limit is reached; the call may succeed later, or with a smaller request. */
public final class ResourceExhaustedException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public ResourceExhaustedException(ErrorDetails details) {
    super(details);
  }
}
