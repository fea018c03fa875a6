package chitarrella.client.errors;

/** A fault of the service itself. */
public final class FaultException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public FaultException(Trouble trouble) {
    super(trouble);
  }
}
