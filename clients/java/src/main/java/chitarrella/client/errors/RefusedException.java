package chitarrella.client.errors;

import chitarrella.client.table.Refusal;
import java.util.List;
import java.util.stream.Collectors;

/** A refused move; only {@code playOrThrow} throws it. */
public final class RefusedException extends ChitarrellaException {
  private static final long serialVersionUID = 1L;

  private final transient List<Refusal> refusals;
  private final int revision;

  /** With the refusals of the response; the code is that of the first. */
  public RefusedException(List<Refusal> refusals, int revision) {
    super(
        ErrorDetails.of(
            refusals.isEmpty() ? "refused" : refusals.get(0).code(),
            refusals.stream().map(Refusal::message).collect(Collectors.joining(" "))));
    this.refusals = List.copyOf(refusals);
    this.revision = revision;
  }

  /** The clauses that the move breaks. */
  public List<Refusal> refusals() {
    return refusals;
  }

  /** The revision of the match. */
  public int revision() {
    return revision;
  }
}
