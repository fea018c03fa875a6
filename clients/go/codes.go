// The codes of errors that programs switch on.

package chitarrella

// Code is the machine-readable reason of an error. A newer service may send other codes, so keep a default.
// It is an error, so that errors.Is(err, chitarrella.CodeNoSuchMatch) works.
type Code string

// Error returns the code.
func (c Code) Error() string { return string(c) }

// The request is invalid: Field and Violations of the error say where.
const (
	// CodeBadRequest: a field is missing, or against the contract.
	CodeBadRequest  Code = "bad_request"
	CodeUnknownGame Code = "unknown_game"
	CodeUnknownCard Code = "unknown_card"
	CodeUnknownSuit Code = "unknown_suit"
	CodeBadPosition Code = "bad_position"
	CodeBadPlayers  Code = "bad_players"
	CodeBadOption   Code = "bad_option"
	CodeBadPack     Code = "bad_pack"
	CodeBadCursor   Code = "bad_cursor"
	CodeNoSuchSeat  Code = "no_such_seat"
	CodeNoSuchBot   Code = "no_such_bot"
	CodeNoTricks    Code = "no_tricks"
	CodeTooLarge    Code = "too_large"
	// CodeMalformedMove: not a move of the game at all.
	CodeMalformedMove Code = "malformed_move"
	// CodeBadRecord: the text is no record, or one of its moves is refused.
	CodeBadRecord Code = "bad_record"
)

// A key is missing, unknown, or not valid for the call.
const (
	// CodeBadKey: the key is unknown to this match, or was replaced.
	CodeBadKey       Code = "bad_key"
	CodeKeyNeeded    Code = "key_needed"
	CodeAPIKeyNeeded Code = "api_key_needed"
	CodeBadAPIKey    Code = "bad_api_key"
	CodeNotYourSeat  Code = "not_your_seat"
	CodeRefereeOnly  Code = "referee_only"
	// CodePlatformOnly: the call needs the API key of a platform.
	CodePlatformOnly Code = "platform_only"
	CodeOutOfScope   Code = "out_of_scope"
	// CodeBadToken: the token of a platform is not valid; Field of the error is the claim.
	CodeBadToken Code = "bad_token"
	// CodeBadAudience: the token of a platform is for another service.
	CodeBadAudience Code = "bad_audience"
	// CodeTokenExpired: the token of a platform has expired; a watch ends with this code.
	CodeTokenExpired     Code = "token_expired"
	CodeTokenNotYetValid Code = "token_not_yet_valid"
)

// The match does not exist, or is not in the state for the call.
const (
	// CodeNoSuchMatch: the match does not exist, was deleted, or is private.
	CodeNoSuchMatch         Code = "no_such_match"
	CodeMatchOver           Code = "match_over"
	CodeMatchRunning        Code = "match_running"
	CodeMatchAborted        Code = "match_aborted"
	CodeEditionNotSupported Code = "edition_not_supported"
	CodeGameNotInstalled    Code = "game_not_installed"
	CodeNoClock             Code = "no_clock"
	CodeSandboxOff          Code = "sandbox_off"
	CodeNotASandbox         Code = "not_a_sandbox"
	CodeNoShufflePending    Code = "no_shuffle_pending"
	CodeAlreadyContributed  Code = "already_contributed"
	CodeNothingToTakeBack   Code = "nothing_to_take_back"
	CodeNotYourDecision     Code = "not_your_decision"
	CodeCardsWereSeen       Code = "cards_were_seen"
	// CodeStaleRevision: the match has another revision; see [Error.Revision].
	CodeStaleRevision Code = "stale_revision"
	// CodeMovesLost: the service has lost acknowledged moves; read the match again.
	CodeMovesLost Code = "moves_lost"
	// CodeRequestReused: the request id was used before, for something else.
	CodeRequestReused Code = "request_reused"
)

// The webhook does not exist, cannot be changed, or would be one too many.
const (
	CodeNoSuchWebhook Code = "no_such_webhook"
	// CodeNoSuchDelivery: the webhook has no such delivery, or it is no longer kept.
	CodeNoSuchDelivery Code = "no_such_delivery"
	// CodeNoSuchAPIKey: the settings of the service have no such API key.
	CodeNoSuchAPIKey Code = "no_such_api_key"
	// CodeWebhookConfigured: the webhook stands in the settings of the service.
	CodeWebhookConfigured Code = "webhook_configured"
	CodeTooManyWebhooks   Code = "too_many_webhooks"
)

// The call may succeed later, or on another connection.
const (
	CodeTooMany Code = "too_many"
	// CodeRateLimited: too many calls in a time; a retry after the time in RetryInfo succeeds.
	CodeRateLimited Code = "rate_limited"
	// CodeQuotaExceeded: the platform or address has as much at a time as it may have.
	CodeQuotaExceeded Code = "quota_exceeded"
	CodeTooSlow       Code = "too_slow"
	CodeStoreDown     Code = "store_down"
	// CodeOverloaded: too many calls wait at this worker of the service; another one may be free.
	CodeOverloaded   Code = "overloaded"
	CodeShuttingDown Code = "shutting_down"
	// CodeInternal: a fault of the service.
	CodeInternal Code = "internal"
	// CodeUnavailable: the service could not be reached; made by the client.
	CodeUnavailable Code = "unavailable"
	// CodeDeadlineExceeded: no response in time; made by the client.
	CodeDeadlineExceeded Code = "deadline_exceeded"
	// CodeCanceled: the call was cancelled; made by the client.
	CodeCanceled Code = "canceled"
)
