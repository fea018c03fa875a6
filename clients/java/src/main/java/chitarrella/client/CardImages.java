package chitarrella.client;

import java.util.Map;

/** Cards as text with suit symbols, such as {@code 10♥} or {@code A🪙}. */
public final class CardImages {
  private static final Map<String, Map<String, String>> SUITS =
      Map.of(
          "Italian", Map.of("b", "🪄", "c", "🏆", "d", "🪙", "s", "🗡️"),
          "French", Map.of("c", "♣", "d", "♦", "h", "♥", "s", "♠"));
  private static final Map<String, String> CUCCO =
      Map.of(
          "MAT", "🃏", "MAS", "🎭", "SEC", "🪣", "NUL", "0️⃣", "XI", "🏠", "XII", "🐈", "XIII",
          "🐎", "XIV", "🏹", "XV", "🐦", "LEO", "🦁");

  private CardImages() {}

  /**
   * Returns a card with the symbol of its suit.
   *
   * @param card in the notation of its pack
   * @param pack its name in the catalogue, such as "Italian 40"
   * @return the image; an unknown card is returned as it is
   */
  public static String cardImage(String card, String pack) {
    var kind = pack.split(" ", 2)[0];
    if (kind.equals("Cucco")) {
      return CUCCO.containsKey(card) ? CUCCO.get(card) + " " + card : card;
    }
    if (card.isEmpty()) {
      return card;
    }
    var rank = card.substring(0, card.length() - 1);
    var suit = SUITS.getOrDefault(kind, Map.of()).get(card.substring(card.length() - 1));
    return suit == null ? card : (rank.equals("T") ? "10" : rank) + suit;
  }
}
