package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/pages"
)

// A Baseline is the findings that are known already.
type Baseline struct {
	Version  int            `json:"version"`
	Findings []knownFinding `json:"findings"`
}

// knownFinding is one of them. Only the fingerprint counts; the rest is for who
// reads the file. No line is in it, so that it does not change when code moves.
type knownFinding struct {
	Fingerprint string `json:"fingerprint"`
	Function    string `json:"function"`
	// ID is that of the category; files of before there were any have none.
	ID       string `json:"id,omitempty"`
	Category string `json:"category"`
	Message  string `json:"message"`
	// Confirmation is what running the code gave, if it was run.
	Confirmation string `json:"confirmation,omitempty"`
}

const baselineVersion = 1

// ReadBaseline reads what WriteBaseline wrote. The name is used in errors.
func ReadBaseline(name string, r io.Reader) (*Baseline, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var b Baseline
	if err := dec.Decode(&b); err != nil {
		line := 1 + bytes.Count(text[:min(int(dec.InputOffset()), len(text))], []byte("\n"))
		return nil, fmt.Errorf("%s:%d: not a baseline: %w", name, line, err)
	}
	if b.Version != baselineVersion {
		return nil, fmt.Errorf("%s: a baseline of version %d, want version %d", name, b.Version, baselineVersion)
	}
	return &b, nil
}

// WriteBaseline writes the findings of the report as those that are known.
func (r *Report) WriteBaseline(w io.Writer) error {
	b := Baseline{Version: baselineVersion, Findings: []knownFinding{}}
	for _, f := range r.Findings {
		known := knownFinding{Fingerprint: f.Fingerprint, Function: strings.TrimSuffix(f.Package+"."+f.Function, "."), ID: pages.ID(f.Category), Category: f.Category, Message: f.Message}
		if f.Confirmation != nil {
			known.Confirmation = f.Confirmation.Verdict
		}
		b.Findings = append(b.Findings, known)
	}
	slices.SortFunc(b.Findings, func(x, y knownFinding) int {
		return strings.Compare(x.Function+"\x00"+x.Fingerprint, y.Function+"\x00"+y.Fingerprint)
	})
	return writeJSON(w, b)
}

// Split returns the findings that are new, and how many of those that are known
// are gone.
func (b *Baseline) Split(findings []Finding) (added []Finding, gone int) {
	known := map[string]bool{}
	for _, k := range b.Findings {
		known[k.Fingerprint] = true
	}
	gone = len(known)
	for _, f := range findings {
		if known[f.Fingerprint] {
			gone--
		} else {
			added = append(added, f)
		}
	}
	return added, gone
}

// writeJSON writes a value for programs and people.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	return enc.Encode(v)
}
