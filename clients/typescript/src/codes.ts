/**
 * The codes that programs switch on. They travel as strings; a newer service may send others, so keep a default branch.
 */

/** Why a call could not be answered: `ChitarrellaError.code`. */
export const ErrorCode = {
  /** A field of the request is not well formed; `violations` names every one. */
  BadRequest: "bad_request",
  UnknownGame: "unknown_game",
  UnknownCard: "unknown_card",
  UnknownSuit: "unknown_suit",
  /** Words that are no move of the game at all. */
  MalformedMove: "malformed_move",
  BadPosition: "bad_position",
  BadPlayers: "bad_players",
  BadOption: "bad_option",
  BadPack: "bad_pack",
  BadCursor: "bad_cursor",
  /** The text is no record, or one of its moves is refused. */
  BadRecord: "bad_record",
  NoSuchSeat: "no_such_seat",
  /** The game is not played in tricks, so the question has no answer. */
  NoTricks: "no_tricks",
  /** The key opens nothing at this match. */
  BadKey: "bad_key",
  /** The answer is only for who shows a key. */
  KeyNeeded: "key_needed",
  /** The service is for platforms that it knows. */
  ApiKeyNeeded: "api_key_needed",
  BadApiKey: "bad_api_key",
  /** Only a platform that shows its API key has a list of matches. */
  PlatformOnly: "platform_only",
  /** The API key is not good for this call. */
  OutOfScope: "out_of_scope",
  /** The key opens something else. */
  NotYourSeat: "not_your_seat",
  RefereeOnly: "referee_only",
  /** There is no such match, or not any more. */
  NoSuchMatch: "no_such_match",
  /** No clock runs at this match now. */
  NoClock: "no_clock",
  /** No pack is waiting for words of the seats. */
  NoDrawAwaited: "no_draw_awaited",
  /** The seat has added another word to this draw. */
  AlreadyContributed: "already_contributed",
  NoSuchBot: "no_such_bot",
  /** No decision was made since something was last drawn, or nobody asks. */
  NothingToTakeBack: "nothing_to_take_back",
  /** The last decision was made by another seat. */
  NotYourDecision: "not_your_decision",
  /** By the decision cards were moved that lay hidden, so it cannot be taken back. */
  CardsWereSeen: "cards_were_seen",
  /** The match is over; of a move that is a refusal, of anything else an error. */
  MatchOver: "match_over",
  /** Only when the match is over. */
  MatchRunning: "match_running",
  /** The match was ended before its time. */
  MatchEnded: "match_ended",
  EditionNotKept: "edition_not_kept",
  /** The table has moved on from the expected revision: a `StaleRevision`. */
  StaleRevision: "stale_revision",
  /** The request id was used before, for something else. */
  RequestReused: "request_reused",
  /** A limit is reached; later it may work. */
  TooMany: "too_many",
  /** The request is larger than any honest one. */
  TooLarge: "too_large",
  /** A watcher did not keep up; `watch` goes on from its cursor by itself. */
  TooSlow: "too_slow",
  StoreDown: "store_down",
  /** This worker of the service is being stopped; another one answers. */
  ShuttingDown: "shutting_down",
  /** A fault of the service itself. */
  Internal: "internal",
  /** The service could not be reached, or the answer was lost; said by the client, not by the service. */
  Unavailable: "unavailable",
  /** No answer came in time; said by the client, not by the service. */
  DeadlineExceeded: "deadline_exceeded",
} as const;

/** One of the codes known to this client. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Why a move is refused, in all games or in many: `Refusal.code`. A game's own ones are in `client.game(key).reasons`. */
export const RefusalCode = {
  MatchOver: "match_over",
  WrongPhase: "wrong_phase",
  NotYourTurn: "not_your_turn",
  NotInHand: "not_in_hand",
  BadPack: "bad_pack",
  BadDealer: "bad_dealer",
  MustFollowSuit: "must_follow_suit",
} as const;

/** One of the refusal codes that all or many games have. */
export type RefusalCode = (typeof RefusalCode)[keyof typeof RefusalCode];

/** A known code, or any other that a newer service or a single game has; the known ones are completed by editors. */
export type Open<C extends string> = C | (string & {});
