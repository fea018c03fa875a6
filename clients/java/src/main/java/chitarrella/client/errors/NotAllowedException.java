// The key opens something else.
package chitarrella.client.errors;

/** The key opens something else. */
public final class NotAllowedException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public NotAllowedException(Trouble trouble) {
    super(trouble);
  }
}
