// Command linearizability checks histories of matches, one JSON object a line, with porcupine.
//
// Each match has to be a linearizable append-only log. The result is a JSON object on the standard output; the exit
// status is 1 if a match is not linearizable or the search took too long, and 2 if a history cannot be read.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// limit is the time for one match. A match has some hundred operations and takes milliseconds.
const limit = time.Minute

// Report is the result of a check.
type Report struct {
	Matches    int `json:"matches"`
	Operations int `json:"operations"`
	Accepted   int `json:"accepted"`
	Unknown    int `json:"unknown"`
	Lost       int `json:"lost"`
	// Illegal are the matches that are not linearizable; Undecided are those whose search took too long.
	Illegal   []string `json:"illegal"`
	Undecided []string `json:"undecided"`
}

func main() {
	matches := map[string][]porcupine.Operation{}
	for _, path := range os.Args[1:] {
		if err := readFile(path, matches); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			os.Exit(2)
		}
	}
	report := check(matches)
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if len(report.Illegal)+len(report.Undecided) > 0 {
		os.Exit(1)
	}
}

func readFile(path string, matches map[string][]porcupine.Operation) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return read(file, matches)
}

// check checks every match on its own: calls at different matches share nothing.
func check(matches map[string][]porcupine.Operation) Report {
	report := Report{Matches: len(matches), Illegal: []string{}, Undecided: []string{}}
	log := model()
	for match, operations := range matches {
		for _, operation := range operations {
			report.count(operation.Input.(*Line))
		}
		switch porcupine.CheckOperationsTimeout(log, durable(operations), limit) {
		case porcupine.Illegal:
			report.Illegal = append(report.Illegal, match)
		case porcupine.Unknown:
			report.Undecided = append(report.Undecided, match)
		}
	}
	slices.Sort(report.Illegal)
	slices.Sort(report.Undecided)
	return report
}

// count adds one call.
func (report *Report) count(line *Line) {
	report.Operations++
	if line.Kind != "append" {
		return
	}
	switch line.Result {
	case "accepted":
		report.Accepted++
	case "unknown":
		report.Unknown++
	case "lost":
		report.Lost++
	}
}

// Line is one line of a history: a call of one client at one match. lab/chaos/history.py writes it.
type Line struct {
	Match  string `json:"match"`
	Client int    `json:"client"`
	// Kind is "create", "append" or "read".
	Kind string `json:"kind"`
	// Call and Return are nanoseconds of one monotonic clock. Return is 0 for a call that was not answered.
	Call   int64 `json:"call"`
	Return int64 `json:"return"`
	// Expected is the revision that an append requires.
	Expected int `json:"expected"`
	// Entry is the move of an append, with its seat.
	Entry string `json:"entry"`
	// Result of an append is "accepted", "stale", "lost" (refused, because the match has lost moves) or "unknown".
	Result string `json:"result"`
	// Revision is the revision of the match in the answer.
	Revision int `json:"revision"`
	// Entries are what a read found: the moves of the match in their order; absent if it found the revision only.
	Entries []string `json:"entries"`
}

// results are the results of an append.
var results = []string{"accepted", "stale", "lost", "unknown"}

// largestLine is the number of bytes of the longest line: the read of a whole match.
const largestLine = 16 << 20

// read adds the lines of a history to the operations of each match.
func read(from io.Reader, matches map[string][]porcupine.Operation) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, largestLine)
	for number := 1; lines.Scan(); number++ {
		line := &Line{}
		if err := json.Unmarshal(lines.Bytes(), line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if err := line.check(); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		matches[line.Match] = append(matches[line.Match], line.operation())
	}
	return lines.Err()
}

// check returns an error for a line that the model does not know.
func (line *Line) check() error {
	switch {
	case line.Match == "":
		return fmt.Errorf("no match")
	case line.Kind != "create" && line.Kind != "append" && line.Kind != "read":
		return fmt.Errorf("kind %q", line.Kind)
	case line.Kind == "append" && !slices.Contains(results, line.Result):
		return fmt.Errorf("result %q", line.Result)
	case line.Return == 0 && line.Result != "unknown":
		return fmt.Errorf("no time of return")
	case line.Return != 0 && line.Return < line.Call:
		return fmt.Errorf("it returned before it was called")
	}
	return nil
}

// operation is the line as porcupine reads it. A call without an answer may take effect at any later time.
func (line *Line) operation() porcupine.Operation {
	until := line.Return
	if until == 0 {
		until = math.MaxInt64
	}
	return porcupine.Operation{ClientId: line.Client, Input: line, Call: line.Call, Output: line, Return: until}
}

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
