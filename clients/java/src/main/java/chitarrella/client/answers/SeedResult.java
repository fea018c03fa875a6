package chitarrella.client.answers;

import java.util.List;

/**
 * The result of adding a seed to a shuffle.
 *
 * @param revision the revision after it
 * @param awaitingSeedsFrom the seats whose seeds are still awaited; empty once the shuffle is made
 */
public record SeedResult(int revision, List<Integer> awaitingSeedsFrom) {}
