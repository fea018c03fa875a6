// No answer came in time.
package chitarrella.client.errors;

/** No answer came in time. */
public final class TimedOutException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public TimedOutException(Trouble trouble) {
    super(trouble);
  }
}
