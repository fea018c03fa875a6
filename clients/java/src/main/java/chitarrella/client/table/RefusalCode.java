package chitarrella.client.table;

import java.util.Locale;

/**
 * The reason of a refusal, common to many games: {@link Refusal#reason}. All other codes are {@link
 * #OTHER}; {@link Refusal#code} has their text.
 */
public enum RefusalCode {
  /** The match is finished. */
  MATCH_OVER,
  /** The move is not allowed in this phase. */
  WRONG_PHASE,
  /** Another seat is to move. */
  NOT_YOUR_TURN,
  /** The card is not in the hand. */
  NOT_IN_HAND,
  /** The cards are not the pack. */
  BAD_PACK,
  /** Another seat deals. */
  BAD_DEALER,
  /** A card of the suit led must be played. */
  MUST_FOLLOW_SUIT,
  /** Any other code. */
  OTHER;

  /** The constant of a code; {@link #OTHER} if there is none. */
  public static RefusalCode of(String code) {
    for (var one : values()) {
      if (one != OTHER && one.name().toLowerCase(Locale.ROOT).equals(code)) {
        return one;
      }
    }
    return OTHER;
  }
}
