// The error of every call, read from the details that the service sends.

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

// Violation is a field at fault, and what is wrong with it.
type Violation struct{ Field, Because string }

// Error is what went wrong in a call; get at it with errors.As, or at the code alone with [CodeOf].
type Error struct {
	// Code is the reason, to be switched on.
	Code Code
	// Because says it in a sentence.
	Because string
	// Field is the field of the request that is at fault, such as "agreement.players"; empty for none.
	Field string
	// Violations are all fields at fault.
	Violations []Violation
	// Details are particulars by name.
	Details map[string]string
	// Status is the gRPC status.
	Status codes.Code
	// RequestID is that of the writing call which failed: the same call with it tells what came of it, at any time
	// later, and does nothing twice. Empty for calls that only read.
	RequestID string
	// FromService is false where the call failed on its way.
	FromService bool

	cause error
}

// Error gives the sentence and the code.
func (e *Error) Error() string { return fmt.Sprintf("chitarrella: %s [%s]", e.Because, e.Code) }

// Is tells whether target is the [Code] of this error.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Unwrap gives the error of the context where that has ended the call, or else that of gRPC.
func (e *Error) Unwrap() error { return e.cause }

// Revision says where the table is now, of [CodeStaleRevision]; false where the service has not said so.
func (e *Error) Revision() (uint32, bool) {
	number, err := strconv.ParseUint(e.Details["revision"], 10, 32)
	return uint32(number), err == nil
}

// StillLegal says of [CodeStaleRevision] that the move would be accepted where the table is now.
func (e *Error) StillLegal() bool { return e.Details["still_legal"] == "true" }

// CodeOf gives the code of an error, to be switched on; empty for what is no [Error].
func CodeOf(err error) Code {
	if found, ok := errors.AsType[*Error](err); ok {
		return found.Code
	}
	return ""
}

// FaultError makes the error of one that [Rules.Batch] or another call for many things answers in its place.
func FaultError(fault *pb.Fault) *Error {
	return &Error{
		Code: Code(fault.GetCode()), Because: fault.GetBecause(), Field: fault.GetField(), FromService: true,
	}
}

// readError reads the error of a call that was made under ctx.
func readError(ctx context.Context, problem error, requestID string) *Error {
	told := status.Convert(problem)
	read := &Error{
		Code: Code(snake(told.Code())), Because: told.Message(), Status: told.Code(), RequestID: requestID, cause: problem,
	}
	if ctx.Err() != nil {
		read.cause = ctx.Err()
	}
	for _, detail := range told.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			read.take(detail)
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

// take reads the reason, and the particulars, if the service itself has sent them.
func (e *Error) take(info *errdetails.ErrorInfo) {
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

// snake gives the name of a status as codes are written: "DeadlineExceeded" is "deadline_exceeded".
func snake(code codes.Code) string {
	var name strings.Builder
	for at, letter := range code.String() {
		if at > 0 && letter >= 'A' && letter <= 'Z' {
			name.WriteByte('_')
		}
		name.WriteRune(letter)
	}
	return strings.ToLower(name.String())
}
