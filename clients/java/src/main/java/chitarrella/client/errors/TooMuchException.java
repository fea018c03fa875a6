// A limit is reached.
package chitarrella.client.errors;

/** A limit is reached; later, or with less, it may work. */
public final class TooMuchException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public TooMuchException(Trouble trouble) {
    super(trouble);
  }
}
