package chitarrella.client.answers;

import java.util.List;

/**
 * The draws of a match.
 *
 * @param draws in order
 * @param nextCommitment the commitment to the next one; empty if the referee deals
 */
public record Draws(List<Draw> draws, String nextCommitment) {}
