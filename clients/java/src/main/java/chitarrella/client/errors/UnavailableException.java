// The service cannot be reached, or was lost before it could answer.
package chitarrella.client.errors;

/** The service cannot be reached, or was lost before it could answer. */
public final class UnavailableException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public UnavailableException(Trouble trouble) {
    super(trouble);
  }
}
