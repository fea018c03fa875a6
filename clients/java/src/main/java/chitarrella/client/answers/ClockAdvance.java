package chitarrella.client.answers;

import java.time.Instant;

/**
 * The result of moving the clock of a test.
 *
 * @param time the time of the match now
 * @param revision the revision now
 * @param timedOut whether a deadline was passed, so that a move was played or a shuffle made
 */
public record ClockAdvance(Instant time, int revision, boolean timedOut) {}
