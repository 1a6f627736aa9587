package result

import (
	"fmt"

	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// Lines of JSON have what is here, and what is said of one kind of thing only. Names
// are only ever added.

// History is what is said of the history of an object.
type History struct {
	Version     int                 `json:"version"` // of the operations, see internal/checker/witness
	File        string              `json:"file"`
	Object      string              `json:"object"`         // "" if the file has only one
	Kind        string              `json:"kind,omitempty"` // of object; of scans there is one kind
	Operations  int                 `json:"operations"`
	Verdict     string              `json:"verdict"`
	Reason      string              `json:"reason"`
	Core        []witness.Operation `json:"core"` // that contradict each other
	Method      string              `json:"method"`
	Ambiguous   *Ambiguity          `json:"ambiguous"`   // why it was a search
	Nanoseconds int64               `json:"nanoseconds"` // without reading the file
}

// SetCore takes the operations out of a picture of them, which can be nil.
func (h *History) SetCore(p *witness.Picture) {
	h.Core = []witness.Operation{}
	if p != nil {
		h.Core = witness.Tidy(p.Operations)
	}
}

// Ambiguity is why a polynomial method could not decide a history.
type Ambiguity struct {
	Lines [2]int `json:"lines"`
	Why   string `json:"why"`
}

// Name is what an object of a file is called in what is printed.
func Name(file, object string) string {
	if object == "" {
		return file
	}
	return file + ": " + object
}

// Unexplained is the reason that a core is one.
func Unexplained(operations int) string {
	if operations == 1 {
		return "no order explains this operation"
	}
	return "no order explains these " + witness.Count(operations, "operation")
}

// Exploration is what is said of a model that was explored.
type Exploration struct {
	Version    int    `json:"version"`
	Model      string `json:"model"`
	Mode       string `json:"mode"` // replay: a run by a schedule
	Threads    int    `json:"threads"`
	Operations int    `json:"operations"` // of each thread; 0 is any number
	Verdict    string `json:"verdict"`
	Reason     string `json:"reason"`
	// States that were stored and found again, and histories that were told
	// apart.
	Stored      int64 `json:"stored"`
	Matched     int64 `json:"matched"`
	Histories   int64 `json:"histories"`
	Bytes       int64 `json:"bytes"`
	Nanoseconds int64 `json:"nanoseconds"`
	// Witness is a picture as internal/checker/witness has it, Schedule what -replay
	// takes; null and "" if there is no violation.
	Witness  *witness.Document `json:"witness"`
	Schedule string            `json:"schedule"`
}

// HistoryStatus is the exit status for a verdict.
func HistoryStatus(v search.HistoryVerdict) int {
	switch v {
	case search.Violation:
		return cli.Findings
	case search.Unknown:
		return cli.Unknown
	}
	return cli.Clean
}

// ModelStatus is the exit status for a verdict.
func ModelStatus(v reach.ModelVerdict) int {
	switch v {
	case reach.Violation:
		return cli.Findings
	case reach.Unknown:
		return cli.Unknown
	}
	return cli.Clean
}

// Replayed is what the summary says of a run by a schedule.
const Replayed = "A run by a schedule."

// Cost says what an exploration took.
func (e *Exploration) Cost() string {
	return fmt.Sprintf("%d matched, %d histories, %s, %.2f s", e.Matched, e.Histories, cli.Mebibytes(e.Bytes), float64(e.Nanoseconds)/1e9)
}
