package chitarrella.client.answers;

import org.jspecify.annotations.Nullable;

/**
 * A card of a game, as it ranks and counts where no suit is trumps.
 *
 * @param code its notation
 * @param name its name in the language of the client
 * @param suit the code of the suit that it counts as; empty where cards have no suit
 * @param rank the notation of its rank
 * @param order its place in its suit, or among all cards: of two cards the higher number is the
 *     better one; 0 for a card without a place
 * @param points what it counts; null where no card counts anything
 * @param copies how many of it the pack has
 * @param pictureUrl the path of its picture; empty if the service has none
 */
public record Card(
    String code,
    String name,
    String suit,
    String rank,
    int order,
    @Nullable Integer points,
    int copies,
    String pictureUrl) {}
