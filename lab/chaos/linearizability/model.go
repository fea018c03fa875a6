package main

import (
	"crypto/sha256"
	"slices"

	"github.com/anishathalye/porcupine"
)

// state is the log of one match, by the digest of its moves.
type state struct {
	revision int
	// atLeast marks a revision that only a later answer tells: a move without an answer was made, and the service may
	// have added entries of its own behind it.
	atLeast bool
	log     [sha256.Size]byte
}

// reaches tells whether the match may be at that revision.
func (s state) reaches(revision int) bool {
	return revision == s.revision || s.atLeast && revision > s.revision
}

// extended is the log with one more move.
func extended(log [sha256.Size]byte, move string) [sha256.Size]byte {
	return sha256.Sum256(append(log[:], move...))
}

// model is an append-only log of moves: an append with an expected revision takes effect only at that revision.
func model() porcupine.Model {
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any { return []any{state{}} },
		Step: func(before, input, _ any) []any { return step(before.(state), input.(*Line)) },
	}
	return nondeterministic.ToModel()
}

// durable returns the operations of a match without the answers that told only its revision, if the service said that the
// match has lost moves. Such an answer may have been of a move that was not answered, and was undone.
func durable(operations []porcupine.Operation) []porcupine.Operation {
	line := func(operation porcupine.Operation) *Line { return operation.Input.(*Line) }
	lost := func(operation porcupine.Operation) bool { return line(operation).Result == "lost" }
	if !slices.ContainsFunc(operations, lost) {
		return operations
	}
	return slices.DeleteFunc(slices.Clone(operations), func(operation porcupine.Operation) bool {
		return line(operation).Result == "stale" || line(operation).Kind == "read" && line(operation).Entries == nil
	})
}

// step returns the states in which a call with its answer may leave the log; none if the answer is impossible.
func step(s state, line *Line) []any {
	switch line.Kind {
	case "create":
		if s != (state{}) {
			return nil
		}
		return []any{state{revision: line.Revision}}
	case "read":
		return readStep(s, line)
	}
	made := extended(s.log, line.Entry)
	switch line.Result {
	case "accepted":
		if s.reaches(line.Expected) && line.Revision > line.Expected {
			return []any{state{revision: line.Revision, log: made}}
		}
	case "stale":
		if s.reaches(line.Revision) && line.Revision != line.Expected {
			return []any{state{revision: line.Revision, log: s.log}}
		}
	case "lost":
		// The service says that moves are lost, and goes on at a revision behind them. The moves that were answered have to
		// be in the log all the same.
		if line.Revision > s.revision {
			return []any{state{revision: line.Revision, log: s.log}}
		}
	case "unknown":
		if s.reaches(line.Expected) {
			return []any{s, state{revision: line.Expected + 1, atLeast: true, log: made}}
		}
		return []any{s}
	}
	return nil
}

// readStep checks a read: the moves that it found are the log. A read without moves tells the revision only.
func readStep(s state, line *Line) []any {
	if line.Entries == nil {
		if !s.reaches(line.Revision) {
			return nil
		}
		return []any{state{revision: line.Revision, log: s.log}}
	}
	var log [sha256.Size]byte
	for _, move := range line.Entries {
		log = extended(log, move)
	}
	if log != s.log || !s.reaches(line.Revision) {
		return nil
	}
	return []any{state{revision: line.Revision, log: s.log}}
}
