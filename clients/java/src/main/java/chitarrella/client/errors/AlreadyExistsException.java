// What was asked for was done before, or the request id was used for something else.
package chitarrella.client.errors;

/** What was asked for was done before, or the request id was used for something else. */
public final class AlreadyExistsException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public AlreadyExistsException(Trouble trouble) {
    super(trouble);
  }
}
