// The codes of errors, to be switched on.
package chitarrella.client.errors;

import java.util.Locale;

/**
 * Why a call could not be answered: {@link ChitarrellaException#reason}. New codes may come at any
 * time: these are {@link #OTHER}, and {@link ChitarrellaException#code} has their text.
 */
public enum ErrorCode {
  /**
   * A field of the request is not well formed; {@link ChitarrellaException#violations} names every
   * one.
   */
  BAD_REQUEST,
  /** The catalogue has no game of that key. */
  UNKNOWN_GAME,
  /** The pack has no such card. */
  UNKNOWN_CARD,
  /** The pack has no such suit. */
  UNKNOWN_SUIT,
  /** Words that are no move of the game at all. */
  MALFORMED_MOVE,
  /** The line is no position of the game. */
  BAD_POSITION,
  /** The game is not for so many. */
  BAD_PLAYERS,
  /** There is no such house rule, or no such choice. */
  BAD_OPTION,
  /** The cards are not the pack. */
  BAD_PACK,
  /** It was never given out as a cursor. */
  BAD_CURSOR,
  /** The text is no record, or one of its moves is refused. */
  BAD_RECORD,
  /** Nobody sits there. */
  NO_SUCH_SEAT,
  /** The game is not played in tricks, so the question has no answer. */
  NO_TRICKS,
  /** The key opens nothing at this match. */
  BAD_KEY,
  /** The answer is only for who shows a key. */
  KEY_NEEDED,
  /** The service is for platforms that it knows. */
  API_KEY_NEEDED,
  /** The service does not know the API key. */
  BAD_API_KEY,
  /** Only a platform that shows its API key has a list of matches. */
  PLATFORM_ONLY,
  /** The API key is not good for this call. */
  OUT_OF_SCOPE,
  /** The key opens something else. */
  NOT_YOUR_SEAT,
  /** Only the referee may do this. */
  REFEREE_ONLY,
  /** There is no such match, or not any more. */
  NO_SUCH_MATCH,
  /** No clock runs at this match now. */
  NO_CLOCK,
  /** No pack is waiting for words of the seats. */
  NO_DRAW_AWAITED,
  /** The seat has added another word to this draw. */
  ALREADY_CONTRIBUTED,
  /** There is no bot of that name. */
  NO_SUCH_BOT,
  /** No decision was made since something was last drawn, or nobody asks. */
  NOTHING_TO_TAKE_BACK,
  /** The last decision was made by another seat. */
  NOT_YOUR_DECISION,
  /** By the decision cards were moved that lay hidden, so it cannot be taken back. */
  CARDS_WERE_SEEN,
  /** The match is over; of a move that is a refusal, of anything else an error. */
  MATCH_OVER,
  /** Only when the match is over. */
  MATCH_RUNNING,
  /** The match was ended before its time. */
  MATCH_ENDED,
  /** The rules were changed since, and the old ones are not kept. */
  EDITION_NOT_KEPT,
  /** The table has moved on from the expected revision. */
  STALE_REVISION,
  /** The request id was used before, for something else. */
  REQUEST_REUSED,
  /** A limit is reached; later it may work. */
  TOO_MANY,
  /** The request is larger than any honest one. */
  TOO_LARGE,
  /** A watcher did not keep up; {@code watch} goes on from its cursor by itself. */
  TOO_SLOW,
  /** The store of the service does not answer. */
  STORE_DOWN,
  /** This worker of the service is being stopped; another one answers. */
  SHUTTING_DOWN,
  /** A fault of the service itself. */
  INTERNAL,
  /** The service could not be reached; said by the client, not by the service. */
  UNAVAILABLE,
  /** No answer came in time; said by the client, not by the service. */
  DEADLINE_EXCEEDED,
  /** A code that is not here. */
  OTHER;

  /** Finds the one with this code; {@link #OTHER} where there is none. */
  public static ErrorCode of(String code) {
    for (var one : values()) {
      if (one != OTHER && one.name().toLowerCase(Locale.ROOT).equals(code)) {
        return one;
      }
    }
    return OTHER;
  }
}
