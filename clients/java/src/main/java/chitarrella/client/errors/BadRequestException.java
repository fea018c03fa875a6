// The request names nothing the service knows, or is not well formed.
package chitarrella.client.errors;

/**
 * The request names nothing the service knows, or is not well formed; {@link #field} and {@link
 * #violations} say where.
 */
public final class BadRequestException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public BadRequestException(Trouble trouble) {
    super(trouble);
  }
}
