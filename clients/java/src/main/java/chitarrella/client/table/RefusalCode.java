// The reasons for which moves are refused, to be switched on.
package chitarrella.client.table;

import java.util.Locale;

/**
 * Why a move is refused, in all games or in many: {@link Refusal#reason}. A game may have codes of
 * its own besides, and new ones may come at any time: these are {@link #OTHER}, and {@link
 * Refusal#code} has their text.
 */
public enum RefusalCode {
  /** The match is over. */
  MATCH_OVER,
  /** It does not belong to this stretch of the game. */
  WRONG_PHASE,
  /** Another seat is to move. */
  NOT_YOUR_TURN,
  /** The card is not in the hand. */
  NOT_IN_HAND,
  /** The cards are not the pack. */
  BAD_PACK,
  /** Another seat deals. */
  BAD_DEALER,
  /** A card of the suit that was led is held. */
  MUST_FOLLOW_SUIT,
  /** A code that is not here. */
  OTHER;

  /** Finds the one with this code; {@link #OTHER} where there is none. */
  public static RefusalCode of(String code) {
    for (var one : values()) {
      if (one != OTHER && one.name().toLowerCase(Locale.ROOT).equals(code)) {
        return one;
      }
    }
    return OTHER;
  }
}
