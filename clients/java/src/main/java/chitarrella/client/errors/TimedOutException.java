package chitarrella.client.errors;

/** No response in time. */
public final class TimedOutException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public TimedOutException(ErrorDetails details) {
    super(details);
  }
}
