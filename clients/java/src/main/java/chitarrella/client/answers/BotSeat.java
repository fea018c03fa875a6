// A seat that a bot plays.
package chitarrella.client.answers;

import java.time.Duration;

/**
 * A seat that a bot plays.
 *
 * @param seat the seat
 * @param bot the bot: "random", "greedy" or "search"
 * @param think how long it may think about a move; zero for as long as is usual
 */
public record BotSeat(int seat, String bot, Duration think) {}
