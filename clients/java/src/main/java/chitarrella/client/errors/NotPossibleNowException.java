// The match is not in the state for this.
package chitarrella.client.errors;

/** The match is not in the state for this. */
public final class NotPossibleNowException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public NotPossibleNowException(Trouble trouble) {
    super(trouble);
  }
}
