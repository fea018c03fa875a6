// Command linearizability checks histories of matches, one JSON object a line, with porcupine.
//
// Each match has to be a linearizable append-only log. The result is a JSON object on the standard output; the exit
// status is 1 if a match is not linearizable or the search took too long, and 2 if a history cannot be read.
package main

import (
	"encoding/json"
	"fmt"
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
