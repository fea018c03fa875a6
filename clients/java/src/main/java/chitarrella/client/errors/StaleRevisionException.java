package chitarrella.client.errors;

import org.jspecify.annotations.Nullable;

/** The match has another revision than the expected one. */
public final class StaleRevisionException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** With the details of the error. */
  public StaleRevisionException(ErrorDetails details) {
    super(details);
  }

  /** The current revision; null if unknown. */
  public @Nullable Integer revision() {
    var revision = details().details().get("revision");
    return revision == null ? null : Integer.valueOf(revision);
  }

  /** Whether the move would be accepted at the current revision; null if unknown. */
  public @Nullable Boolean stillLegal() {
    var legal = details().details().get("still_legal");
    return legal == null ? null : Boolean.valueOf(legal);
  }
}
