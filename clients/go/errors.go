// The error of every call, read from the error details of the service.

package chitarrella

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

const domain = "chitarrella"

// Violation is an invalid field, and why it is invalid.
type Violation struct{ field, message string }

// GetField returns the path of the field.
func (v Violation) GetField() string { return v.field }

// GetMessage returns why the field is invalid.
func (v Violation) GetMessage() string { return v.message }

// Error is the error of a call. Use errors.As to get it, or [CodeOf] for the code alone.
type Error struct {
	code        Code
	message     string
	field       string
	violations  []Violation
	details     map[string]string
	status      codes.Code
	requestID   secret
	fromService bool
	cause       error
}

// GetCode returns the machine-readable reason.
func (e *Error) GetCode() Code { return e.code }

// GetMessage returns the explanation.
func (e *Error) GetMessage() string { return e.message }

// GetField returns the path of the invalid field, such as "rule_set.players"; empty for none.
func (e *Error) GetField() string { return e.field }

// GetViolations returns all invalid fields.
func (e *Error) GetViolations() []Violation { return e.violations }

// GetDetails returns other values by name.
func (e *Error) GetDetails() map[string]string { return e.details }

// GetStatus returns the gRPC status.
func (e *Error) GetStatus() codes.Code { return e.status }

// GetRequestID returns the request id of the failed writing call: repeating the call with it, at any later time, returns
// its result, keys included, and has no effect twice. It is empty for calls that only read.
func (e *Error) GetRequestID() string { return e.requestID.text() }

// FromService is false if the call was not sent, did not reach the service, or its response was lost.
func (e *Error) FromService() bool { return e.fromService }

// Error returns the message and the code.
func (e *Error) Error() string { return fmt.Sprintf("chitarrella: %s [%s]", e.message, e.code) }

// Is reports whether target is the [Code] of this error.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.code
}

// Unwrap returns the error of the context if that ended the call, else the gRPC error.
func (e *Error) Unwrap() error { return e.cause }

// Revision returns the current revision, of [CodeStaleRevision]; false if it is not known.
func (e *Error) Revision() (uint32, bool) {
	number, err := strconv.ParseUint(e.details["revision"], 10, 32)
	return uint32(number), err == nil
}

// StillLegal reports, of [CodeStaleRevision], whether the move would be accepted at the current revision.
func (e *Error) StillLegal() bool { return e.details["still_legal"] == "true" }

// CodeOf returns the code of an error; empty if it is no [Error].
func CodeOf(err error) Code {
	if found, ok := errors.AsType[*Error](err); ok {
		return found.code
	}
	return ""
}

// ErrorOf converts the error of one item, as in the answers of [Rules.Batch].
func ErrorOf(item *rpcstatus.Status) *Error { return readStatus(status.FromProto(item)) }

// mistake returns the error of an argument; nothing was sent.
func mistake(field, message string) *Error {
	return &Error{code: CodeBadRequest, message: message, field: field, status: codes.InvalidArgument}
}

// wrongTargets says what is wrong with a target where calls fail with such a message; a retry fails as well.
var wrongTargets = map[string]string{
	"looked like an HTTP/1.1 header": "the target does not speak gRPC: REST has another port",
	"received from server: 404":      "the target does not speak gRPC: REST has another port",
	"received from server: 415":      "the target does not speak gRPC: REST has another port",
	"not look like a TLS handshake":  "the target does not speak TLS, which WithTLS enables",
}

// readError converts the error of a call made under ctx.
func readError(ctx context.Context, rpcError error, requestID string) *Error {
	rpcStatus := status.Convert(rpcError)
	for part, message := range wrongTargets {
		if strings.Contains(rpcStatus.Message(), part) {
			return mistake("target", message)
		}
	}
	read := readStatus(rpcStatus)
	read.requestID, read.cause = keep(requestID), rpcError
	if ctx.Err() != nil {
		read.cause = ctx.Err()
	}
	if strings.Contains(read.message, "reading server preface") {
		read.message = "the connection was cut, or the target needs WithTLS: " + read.message
	}
	return read
}

// readStatus reads the code, the message and the details.
func readStatus(from *status.Status) *Error {
	read := &Error{code: Code(snakeCase(from.Code())), message: from.Message(), status: from.Code()}
	for _, detail := range from.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			read.readInfo(detail)
		case *errdetails.BadRequest:
			for _, one := range detail.GetFieldViolations() {
				read.violations = append(read.violations, Violation{one.GetField(), one.GetDescription()})
			}
		}
	}
	if read.field == "" && len(read.violations) > 0 {
		read.field = read.violations[0].field
	}
	return read
}

// readInfo takes over the reason and its metadata, if they come from the service.
func (e *Error) readInfo(info *errdetails.ErrorInfo) {
	if info.GetDomain() != domain {
		return
	}
	e.code, e.field, e.fromService = Code(info.GetReason()), info.GetMetadata()["field"], true
	e.details = make(map[string]string, len(info.GetMetadata()))
	for name, value := range info.GetMetadata() {
		if name != "field" {
			e.details[name] = value
		}
	}
}

// snakeCase returns the name of a status in the style of codes: "DeadlineExceeded" is "deadline_exceeded".
func snakeCase(code codes.Code) string {
	var name strings.Builder
	for at, letter := range code.String() {
		if at > 0 && letter >= 'A' && letter <= 'Z' {
			name.WriteByte('_')
		}
		name.WriteRune(letter)
	}
	return strings.ToLower(name.String())
}

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
	CodeBadCards    Code = "bad_cards"
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
	CodeMatchFinished       Code = "match_finished"
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
	CodeAlreadyDeclined     Code = "already_declined"
	CodeNotYourDecision     Code = "not_your_decision"
	CodeCardsWereSeen       Code = "cards_were_seen"
	// CodeRestricted: the match was created without that; see [Restrict].
	CodeRestricted Code = "restricted"
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

// Refusal is a clause of the rule book that a move breaks, with details.
type Refusal = pb.Refusal

// ExplainedMove is a move, legal or not, with the clauses it breaks. For a [PartialPosition], DependsOn names the unknown
// parts that its legality depends on; then these are the clauses that it may break.
type ExplainedMove = pb.ExplainedMove

// The codes of refusals that many games have. They are strings and not of a type of their own, because games have more
// of them than there are constants here: [Client.Game] lists those of a game with their clauses, and new games bring
// new ones, so keep a default.
const (
	RefusalMatchOver      = "match_over"
	RefusalWrongPhase     = "wrong_phase"
	RefusalNotYourTurn    = "not_your_turn"
	RefusalNotInHand      = "not_in_hand"
	RefusalBadPack        = "bad_pack"
	RefusalBadDealer      = "bad_dealer"
	RefusalMustFollowSuit = "must_follow_suit"
)

// IsLegal reports whether a move breaks no clause, whatever the unknown parts of a [PartialPosition] are.
func IsLegal(move *ExplainedMove) bool {
	return len(move.GetRefusals()) == 0 && len(move.GetDependsOn()) == 0
}

// RefusedError is the error of a refused move; see [MoveResult.Err]. It has the refusals, at least one, and the revision.
type RefusedError struct{ MoveResult }

// Error lists the refusals: the message, the code and the clause of each.
func (e *RefusedError) Error() string {
	texts := make([]string, 0, len(e.GetRefusals()))
	for _, one := range e.GetRefusals() {
		texts = append(texts, fmt.Sprintf("%s [%s, %s]", one.GetMessage(), one.GetCode(), one.GetClause().GetKey()))
	}
	return "refused: " + strings.Join(texts, "; ")
}
