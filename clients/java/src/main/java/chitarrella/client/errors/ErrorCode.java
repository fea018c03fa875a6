package chitarrella.client.errors;

import java.util.Locale;

/**
 * The reason of an error: {@link ChitarrellaException#reason}. Codes of a newer service are {@link
 * #OTHER}; {@link ChitarrellaException#code} has their text.
 */
public enum ErrorCode {
  /**
   * A field of the request is invalid; {@link ChitarrellaException#violations} names all of them.
   */
  BAD_REQUEST,
  /** The catalogue has no game of that key. */
  UNKNOWN_GAME,
  /** The pack has no such card. */
  UNKNOWN_CARD,
  /** The pack has no such suit. */
  UNKNOWN_SUIT,
  /** Not a move of the game at all. */
  MALFORMED_MOVE,
  /** The text is no position of the game. */
  BAD_POSITION,
  /** The game does not allow this number of players. */
  BAD_PLAYERS,
  /** The game has no such option, or the option no such value. */
  BAD_OPTION,
  /** The cards are not the pack. */
  BAD_CARDS,
  /** The cursor is not one of this match. */
  BAD_CURSOR,
  /** The text is no record, or one of its moves is refused. */
  BAD_RECORD,
  /** The table has no such seat. */
  NO_SUCH_SEAT,
  /** The game is not played in tricks, so the question has no answer. */
  NO_TRICKS,
  /** The key is unknown to this match. */
  BAD_KEY,
  /** The call needs a key. */
  KEY_NEEDED,
  /** The service requires an API key. */
  API_KEY_NEEDED,
  /** The API key is unknown. */
  BAD_API_KEY,
  /** The token is malformed, not signed by the platform of the match, or not for this match. */
  BAD_TOKEN,
  /** The token is for another service. */
  BAD_AUDIENCE,
  /** The token has expired. */
  TOKEN_EXPIRED,
  /** The token is not valid yet. */
  TOKEN_NOT_YET_VALID,
  /** Only a platform with an API key may do this. */
  PLATFORM_ONLY,
  /** The API key does not allow this call. */
  OUT_OF_SCOPE,
  /** The key does not allow this call. */
  NOT_YOUR_SEAT,
  /** Only the referee may do this. */
  REFEREE_ONLY,
  /** The match does not exist, or was deleted. */
  NO_SUCH_MATCH,
  /** No clock runs at this match now. */
  NO_CLOCK,
  /** The service does not allow tests. */
  SANDBOX_OFF,
  /** The match is not a test. */
  NOT_A_SANDBOX,
  /** The platform has no such webhook. */
  NO_SUCH_WEBHOOK,
  /** The webhook has no such delivery, or it is no longer kept. */
  NO_SUCH_DELIVERY,
  /** The webhook stands in the settings of the service. */
  WEBHOOK_CONFIGURED,
  /** The platform has as many webhooks as it may have. */
  TOO_MANY_WEBHOOKS,
  /** No shuffle awaits seeds of the seats. */
  NO_SHUFFLE_PENDING,
  /** The seat has already added another seed to this shuffle. */
  ALREADY_CONTRIBUTED,
  /** There is no bot of that name. */
  NO_SUCH_BOT,
  /** The settings of the service have no such API key. */
  NO_SUCH_API_KEY,
  /** No decision was made since the last shuffle, or there is no request. */
  NOTHING_TO_TAKE_BACK,
  /** The takeback of this decision was asked for once, and declined or withdrawn. */
  ALREADY_DECLINED,
  /** The last decision was made by another seat. */
  NOT_YOUR_DECISION,
  /** The decision moved a hidden card, so it cannot be taken back. */
  CARDS_WERE_SEEN,
  /** The match is finished. Of a move this is the refusal {@code match_over}. */
  MATCH_FINISHED,
  /** The match was created without that. */
  RESTRICTED,
  /** The call is allowed only once the match is finished. */
  MATCH_RUNNING,
  /** The match was aborted. */
  MATCH_ABORTED,
  /** The rules were changed since, and the old edition is not available. */
  EDITION_NOT_SUPPORTED,
  /** The service does not have the game of the match now; the match is kept. */
  GAME_NOT_INSTALLED,
  /** The match has another revision than the expected one. */
  STALE_REVISION,
  /** The service has lost acknowledged moves; read the match again. */
  MOVES_LOST,
  /** The request id was used before, for something else. */
  REQUEST_REUSED,
  /** A limit is reached; the call may succeed later. */
  TOO_MANY,
  /** Too many calls in a time; a retry after the time in RetryInfo succeeds. */
  RATE_LIMITED,
  /** The platform or address has as much at a time as it may have. */
  QUOTA_EXCEEDED,
  /** The request is too large. */
  TOO_LARGE,
  /** A watcher did not keep up; {@code watch} resumes from its cursor by itself. */
  TOO_SLOW,
  /** The store of the service is unavailable. */
  STORE_DOWN,
  /** Too many calls are waiting at this worker of the service; another one may be free. */
  OVERLOADED,
  /** This worker of the service is stopping; another one will answer. */
  SHUTTING_DOWN,
  /** A fault of the service itself. */
  INTERNAL,
  /** The service could not be reached; made by the client. */
  UNAVAILABLE,
  /** No response in time; made by the client. */
  DEADLINE_EXCEEDED,
  /** Any other code. */
  OTHER;

  /** The constant of a code; {@link #OTHER} if there is none. */
  public static ErrorCode of(String code) {
    for (var one : values()) {
      if (one != OTHER && one.name().toLowerCase(Locale.ROOT).equals(code)) {
        return one;
      }
    }
    return OTHER;
  }
}
