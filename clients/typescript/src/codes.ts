/** Machine-readable reasons. A newer service may send others, so keep a default branch. */

/** The reason of an error: `ChitarrellaError.code`. */
export const ErrorCode = {
  /** A field of the request is invalid; `violations` names all of them. */
  BadRequest: "bad_request",
  UnknownGame: "unknown_game",
  UnknownCard: "unknown_card",
  UnknownSuit: "unknown_suit",
  /** Not a move of the game at all. */
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
  /** The key is unknown to this match, or was replaced. */
  BadKey: "bad_key",
  /** The call needs a key. */
  KeyNeeded: "key_needed",
  /** The token of a platform is not valid; `field` names the claim. */
  BadToken: "bad_token",
  /** The token of a platform is for another service. */
  BadAudience: "bad_audience",
  /** The token of a platform has expired; a watch ends with this code. */
  TokenExpired: "token_expired",
  TokenNotYetValid: "token_not_yet_valid",
  /** The service requires an API key. */
  ApiKeyNeeded: "api_key_needed",
  BadApiKey: "bad_api_key",
  /** The call needs the API key of a platform. */
  PlatformOnly: "platform_only",
  /** The API key does not allow this call. */
  OutOfScope: "out_of_scope",
  /** The key is that of another seat. */
  NotYourSeat: "not_your_seat",
  RefereeOnly: "referee_only",
  /** The match does not exist, or was deleted. */
  NoSuchMatch: "no_such_match",
  NoSuchWebhook: "no_such_webhook",
  /** The webhook has no such delivery, or it is no longer kept. */
  NoSuchDelivery: "no_such_delivery",
  /** The settings of the service have no such API key. */
  NoSuchApiKey: "no_such_api_key",
  /** The webhook stands in the settings of the service; no call changes it. */
  WebhookConfigured: "webhook_configured",
  /** No clock runs at this match now. */
  NoClock: "no_clock",
  /** The service creates no tests. */
  SandboxOff: "sandbox_off",
  /** The match is no test, so its clock cannot be advanced. */
  NotASandbox: "not_a_sandbox",
  /** No shuffle awaits seeds of the seats. */
  NoShufflePending: "no_shuffle_pending",
  /** The seat has already added another seed to this shuffle. */
  AlreadyContributed: "already_contributed",
  NoSuchBot: "no_such_bot",
  /** No decision was made since the last shuffle, or there is no request. */
  NothingToTakeBack: "nothing_to_take_back",
  /** The last decision was made by another seat. */
  NotYourDecision: "not_your_decision",
  /** The decision moved a hidden card, so it cannot be taken back. */
  CardsWereSeen: "cards_were_seen",
  /** The match is finished. For a move this is a refusal, for anything else an error. */
  MatchOver: "match_over",
  /** The call is allowed only when the match is finished. */
  MatchRunning: "match_running",
  /** The match was aborted. */
  MatchAborted: "match_aborted",
  EditionNotSupported: "edition_not_supported",
  /** The service does not have the game of the match now; the match is kept. */
  GameNotInstalled: "game_not_installed",
  /** The match has another revision than the expected one: a `StaleRevision`. */
  StaleRevision: "stale_revision",
  /** The service has lost acknowledged moves; read the match again. A `MovesLost`. */
  MovesLost: "moves_lost",
  /** The request id was used before, for something else. */
  RequestReused: "request_reused",
  /** A limit is reached; the call may succeed later. */
  TooMany: "too_many",
  /** Too many calls in a time; a retry after the time in RetryInfo succeeds. */
  RateLimited: "rate_limited",
  /** The platform or address has as much at a time as it may have. */
  QuotaExceeded: "quota_exceeded",
  /** The platform has as many webhooks as it may have. */
  TooManyWebhooks: "too_many_webhooks",
  /** The request is too large. */
  TooLarge: "too_large",
  /** A watcher did not keep up; `watch` resumes from its cursor by itself. */
  TooSlow: "too_slow",
  StoreDown: "store_down",
  /** Too many calls are waiting at this worker of the service; another one may be free. */
  Overloaded: "overloaded",
  /** This worker of the service is stopping; another one will answer. */
  ShuttingDown: "shutting_down",
  /** A fault of the service itself. */
  Internal: "internal",
  /** The service could not be reached, or the response was lost; made by the client. */
  Unavailable: "unavailable",
  /** No response in time; made by the client. */
  DeadlineExceeded: "deadline_exceeded",
} as const;

/** One of the codes known to this client. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** The reason of a refusal, common to many games: `Refusal.code`. `client.game(id).reasons` has those of a game. */
export const RefusalCode = {
  MatchOver: "match_over",
  WrongPhase: "wrong_phase",
  NotYourTurn: "not_your_turn",
  NotInHand: "not_in_hand",
  BadPack: "bad_pack",
  BadDealer: "bad_dealer",
  MustFollowSuit: "must_follow_suit",
} as const;

/** One of the refusal codes common to many games. */
export type RefusalCode = (typeof RefusalCode)[keyof typeof RefusalCode];

/** A known code, or any other of a newer service or of a game; editors complete the known ones. */
export type Open<C extends string> = C | (string & {});
