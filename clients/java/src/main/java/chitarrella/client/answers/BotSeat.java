package chitarrella.client.answers;

import java.time.Duration;

/**
 * A seat played by a bot.
 *
 * @param seat the seat
 * @param bot the bot: "random", "greedy" or "search"
 * @param think its time for a move; zero for the service's default
 */
public record BotSeat(int seat, String bot, Duration think) {}
