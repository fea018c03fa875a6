// The table has moved on.
package chitarrella.client.errors;

import org.jspecify.annotations.Nullable;

/** The table has moved on from the revision the caller built upon. */
public final class StaleRevisionException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  /** Says what went wrong. */
  public StaleRevisionException(Trouble trouble) {
    super(trouble);
  }

  /** Where the table is now; null if the service has not said so. */
  public @Nullable Integer revision() {
    var revision = trouble().details().get("revision");
    return revision == null ? null : Integer.valueOf(revision);
  }

  /** Whether the move would be accepted there; null if the service has not said so. */
  public @Nullable Boolean stillLegal() {
    var legal = trouble().details().get("still_legal");
    return legal == null ? null : Boolean.valueOf(legal);
  }
}
