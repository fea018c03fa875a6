// A key is missing, or opens nothing here.
package chitarrella.client.errors;

/** A key is missing, or opens nothing here. */
public final class NotAuthenticatedException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public NotAuthenticatedException(Trouble trouble) {
    super(trouble);
  }
}
