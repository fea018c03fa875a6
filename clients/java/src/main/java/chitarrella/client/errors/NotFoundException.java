// There is no such thing.
package chitarrella.client.errors;

/** There is no such thing. */
public final class NotFoundException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public NotFoundException(Trouble trouble) {
    super(trouble);
  }
}
