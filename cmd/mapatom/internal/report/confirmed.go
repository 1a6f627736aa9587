package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mapatom/mapatom/internal/checker/witness"
)

// A Confirmation is what running the real code gave for a finding, as
// `mapatom confirm -json` prints it.
type Confirmation struct {
	Package     string          `json:"package"`
	Function    string          `json:"function"`
	Position    string          `json:"position"`
	Category    string          `json:"category"`
	Verdict     string          `json:"verdict"`
	Reason      string          `json:"reason"`
	History     json.RawMessage `json:"history"`
	Schedule    string          `json:"schedule"`
	Executions  int             `json:"executions"`
	Nanoseconds int64           `json:"nanoseconds"`
	// Thorough says of what is not confirmed that all that was to be tried was.
	Thorough bool `json:"thorough,omitempty"`

	// Picture is the history, and Text its text where it has no picture.
	Picture *witness.Picture `json:"-"`
	Text    string           `json:"-"`
}

// Confirmed reports whether the code has shown the bug.
func (c *Confirmation) Confirmed() bool { return c.Verdict == verdictConfirmed }

// The verdicts, as package trial has them.
const (
	verdictConfirmed    = "confirmed"
	verdictNotConfirmed = "not confirmed"
)

// Told is the verdict, with how much was tried where that was all.
func (c *Confirmation) Told() string {
	if c.Verdict == verdictNotConfirmed && c.Thorough {
		return "not confirmed in " + witness.Count(c.Executions, "schedule")
	}
	return c.Verdict
}

// String says it in a line.
func (c *Confirmation) String() string {
	switch {
	case c.Told() != c.Verdict:
		return c.Told()
	case c.Confirmed():
		return "confirmed: the real code has shown it"
	}
	return c.Verdict + ": " + c.Reason
}

// ReadConfirmed reads an array of them. The name is used in errors.
func ReadConfirmed(name string, r io.Reader) ([]Confirmation, error) {
	var all []Confirmation
	if err := json.NewDecoder(r).Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: not the output of mapatom confirm -json: %w", name, err)
	}
	for i := range all {
		c := &all[i]
		switch first := bytes.TrimSpace(c.History); {
		case len(first) == 0 || string(first) == "null":
		case first[0] == '"':
			if err := json.Unmarshal(first, &c.Text); err != nil {
				return nil, fmt.Errorf("%s: history of %s: %w", name, c.Function, err)
			}
		default:
			var err error
			if c.Picture, err = witness.Read(json.NewDecoder(bytes.NewReader(first))); err != nil {
				return nil, fmt.Errorf("%s: history of %s: %w", name, c.Function, err)
			}
		}
	}
	return all, nil
}

// Confirm gives each finding what is known of it, and returns how many there are
// that no finding has: what was run is older than the source, perhaps.
func (r *Report) Confirm(all []Confirmation) (left int) {
	for i := range all {
		c := &all[i]
		found := false
		for j := range r.Findings {
			f := &r.Findings[j]
			at := fmt.Sprintf(":%d:%d", f.Place.Line, f.Place.Column)
			if f.Package == c.Package && f.Function == c.Function && f.Category == c.Category && strings.HasSuffix(c.Position, at) {
				f.Confirmation, found = c, true
			}
		}
		if !found {
			left++
		}
	}
	return left
}
