package chitarrella.client.answers;

import java.util.List;

/**
 * The shuffles of a match.
 *
 * @param shuffles in order
 * @param nextCommitment the commitment to the next one; empty if the referee supplies packs
 */
public record Shuffles(List<Shuffle> shuffles, String nextCommitment) {}
