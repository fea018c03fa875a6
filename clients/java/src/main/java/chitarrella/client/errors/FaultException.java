// A fault of the service itself.
package chitarrella.client.errors;

/** A fault of the service itself. */
public final class FaultException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public FaultException(Trouble trouble) {
    super(trouble);
  }
}
