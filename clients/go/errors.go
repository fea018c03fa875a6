// The error of every call, read from the error details of the service.

package chitarrella

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
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
	requestID   string
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
// its result and has no effect twice. It is empty for calls that only read.
func (e *Error) GetRequestID() string { return e.requestID }

// FromService is false if the call did not reach the service or its response was lost.
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
func ErrorOf(item *ItemError) *Error {
	return &Error{code: Code(item.GetCode()), message: item.GetMessage(), field: item.GetField(), fromService: true}
}

// readError converts the error of a call made under ctx.
func readError(ctx context.Context, rpcError error, requestID string) *Error {
	rpcStatus := status.Convert(rpcError)
	read := &Error{
		code: Code(snakeCase(rpcStatus.Code())), message: rpcStatus.Message(), status: rpcStatus.Code(),
		requestID: requestID, cause: rpcError,
	}
	if ctx.Err() != nil {
		read.cause = ctx.Err()
	}
	for _, detail := range rpcStatus.Details() {
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
