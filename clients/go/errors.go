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

	pb "chitarrella/gen/chitarrella/v1"
)

const domain = "chitarrella"

// Violation is an invalid field, and why it is invalid.
type Violation struct{ Field, Because string }

// Error is the error of a call. Use errors.As to get it, or [CodeOf] for the code alone.
type Error struct {
	// Code is the machine-readable reason.
	Code Code
	// Because is the message.
	Because string
	// Field is the path of the invalid field, such as "agreement.players"; empty for none.
	Field string
	// Violations are all invalid fields.
	Violations []Violation
	// Details are other values by name.
	Details map[string]string
	// Status is the gRPC status.
	Status codes.Code
	// RequestID of the failed writing call: repeating the call with it, at any later time, returns its result and has no
	// effect twice. Empty for calls that only read.
	RequestID string
	// FromService is false if the call did not reach the service or its response was lost.
	FromService bool

	cause error
}

// Error returns the message and the code.
func (e *Error) Error() string { return fmt.Sprintf("chitarrella: %s [%s]", e.Because, e.Code) }

// Is reports whether target is the [Code] of this error.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Unwrap returns the error of the context if that ended the call, else the gRPC error.
func (e *Error) Unwrap() error { return e.cause }

// Revision returns the current revision, of [CodeStaleRevision]; false if it is not known.
func (e *Error) Revision() (uint32, bool) {
	number, err := strconv.ParseUint(e.Details["revision"], 10, 32)
	return uint32(number), err == nil
}

// StillLegal reports, of [CodeStaleRevision], whether the move would be accepted at the current revision.
func (e *Error) StillLegal() bool { return e.Details["still_legal"] == "true" }

// CodeOf returns the code of an error; empty if it is no [Error].
func CodeOf(err error) Code {
	if found, ok := errors.AsType[*Error](err); ok {
		return found.Code
	}
	return ""
}

// FaultError converts the error of one item, as in the answers of [Rules.Batch].
func FaultError(fault *pb.Fault) *Error {
	return &Error{
		Code: Code(fault.GetCode()), Because: fault.GetBecause(), Field: fault.GetField(), FromService: true,
	}
}

// readError converts the error of a call made under ctx.
func readError(ctx context.Context, rpcError error, requestID string) *Error {
	rpcStatus := status.Convert(rpcError)
	read := &Error{
		Code: Code(snakeCase(rpcStatus.Code())), Because: rpcStatus.Message(), Status: rpcStatus.Code(), RequestID: requestID, cause: rpcError,
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
				read.Violations = append(read.Violations, Violation{one.GetField(), one.GetDescription()})
			}
		}
	}
	if read.Field == "" && len(read.Violations) > 0 {
		read.Field = read.Violations[0].Field
	}
	return read
}

// readInfo takes over the reason and its metadata, if they come from the service.
func (e *Error) readInfo(info *errdetails.ErrorInfo) {
	if info.GetDomain() != domain {
		return
	}
	e.Code, e.Field, e.FromService = Code(info.GetReason()), info.GetMetadata()["field"], true
	e.Details = make(map[string]string, len(info.GetMetadata()))
	for name, value := range info.GetMetadata() {
		if name != "field" {
			e.Details[name] = value
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
