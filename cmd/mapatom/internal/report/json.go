package report

import (
	"io"

	"github.com/mapatom/mapatom/internal/pages"
)

// jsonVersion is that of the document, and of docs/schema/findings.v1.json. Within a version
// names are only added.
const jsonVersion = 1

// jsonDocument is what -json prints.
type jsonDocument struct {
	Schema   string        `json:"$schema"`
	Version  int           `json:"version"`
	Mapatom  string        `json:"mapatom"`
	Complete bool          `json:"complete"`
	Findings []jsonFinding `json:"findings"`
}

// jsonFinding is a finding with all that is known of it.
type jsonFinding struct {
	ID           string            `json:"id"`
	Category     string            `json:"category"`
	URL          string            `json:"url"`
	Message      string            `json:"message"`
	Fingerprint  string            `json:"fingerprint"`
	Package      string            `json:"package"`
	Function     string            `json:"function,omitempty"`
	Location     jsonLocation      `json:"location"`
	Related      []jsonNote        `json:"related"`
	Cell         string            `json:"cell,omitempty"`
	Environment  string            `json:"environment,omitempty"`
	Operations   []jsonOperation   `json:"operations"`
	Repair       string            `json:"repair,omitempty"`
	Confidence   string            `json:"confidence,omitempty"`
	Evidence     []jsonEvidence    `json:"evidence"`
	Interleaving *jsonInterleaving `json:"interleaving,omitempty"`
	Fixes        []jsonFix         `json:"fixes"`
	Confirmation *jsonConfirmation `json:"confirmation,omitempty"`
}

// jsonEvidence is an Evidence.
type jsonEvidence struct {
	Assumption string        `json:"assumption"`
	Answer     string        `json:"answer"`
	Says       string        `json:"says"`
	Location   *jsonLocation `json:"location,omitempty"`
	Rule       string        `json:"rule,omitempty"`
}

// jsonLocation is a Place: what is 0 there is not known.
type jsonLocation struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"`
}

type jsonNote struct {
	Location jsonLocation `json:"location"`
	Message  string       `json:"message"`
}

type jsonOperation struct {
	Name     string       `json:"name"`
	Location jsonLocation `json:"location"`
}

// jsonInterleaving is a Story.
type jsonInterleaving struct {
	Start  string      `json:"start"`
	Steps  []jsonStep  `json:"steps"`
	Orders []jsonOrder `json:"orders"`
	Legend string      `json:"legend,omitempty"`
}

// jsonStep is a Move.
type jsonStep struct {
	Goroutine string       `json:"goroutine"` // "call" or "other"
	Operation string       `json:"operation"`
	Outcome   string       `json:"outcome,omitempty"`
	Breaking  bool         `json:"breaking,omitempty"`
	Location  jsonLocation `json:"location"`
}

type jsonOrder struct {
	Place string `json:"place"`
	Why   string `json:"why"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Location jsonLocation `json:"location"`
	NewText  string       `json:"newText"`
}

type jsonConfirmation struct {
	Verdict    string `json:"verdict"`
	Reason     string `json:"reason,omitempty"`
	Executions int    `json:"executions"`
	Schedule   string `json:"schedule,omitempty"`
}

// WriteJSON writes all that is known of the findings, in the form of
// docs/schema/findings.v1.json.
func (r *Report) WriteJSON(w io.Writer) error {
	doc := jsonDocument{
		Schema: pages.SchemaURL + "findings.v1.json", Version: jsonVersion, Mapatom: r.Version, Complete: r.Complete,
		Findings: []jsonFinding{},
	}
	for i := range r.Findings {
		doc.Findings = append(doc.Findings, r.jsonFinding(&r.Findings[i]))
	}
	return writeJSON(w, doc)
}

func (r *Report) jsonFinding(f *Finding) jsonFinding {
	page, _ := pages.Category(f.Category)
	out := jsonFinding{
		ID: page.ID, Category: f.Category, URL: page.URL, Message: f.Message, Fingerprint: f.Fingerprint,
		Package: f.Package, Function: f.Function, Location: r.jsonLocation(f.Place), Related: []jsonNote{},
		Cell: f.Cell, Environment: f.Environment, Operations: []jsonOperation{}, Repair: f.Repair,
		Confidence: f.Confidence, Evidence: []jsonEvidence{},
		Interleaving: r.jsonInterleaving(f), Fixes: []jsonFix{},
	}
	for _, n := range f.Related {
		out.Related = append(out.Related, jsonNote{r.jsonLocation(n.Place), n.Message})
	}
	for _, op := range f.Operations {
		out.Operations = append(out.Operations, jsonOperation{op.Name, r.jsonLocation(op.Place)})
	}
	for _, e := range f.Evidence {
		je := jsonEvidence{Assumption: e.Assumption, Answer: e.Answer, Says: e.Says, Rule: e.Rule}
		if e.Place.File != "" {
			at := r.jsonLocation(e.Place)
			je.Location = &at
		}
		out.Evidence = append(out.Evidence, je)
	}
	for _, fix := range f.Fixes {
		jf := jsonFix{fix.Message, []jsonEdit{}}
		for _, e := range fix.Edits {
			jf.Edits = append(jf.Edits, jsonEdit{r.jsonLocation(e.Place), e.Text})
		}
		out.Fixes = append(out.Fixes, jf)
	}
	if c := f.Confirmation; c != nil {
		out.Confirmation = &jsonConfirmation{c.Verdict, c.Reason, c.Executions, c.Schedule}
	}
	return out
}

func (r *Report) jsonLocation(p Place) jsonLocation {
	return jsonLocation{r.path(p.File), p.Line, p.Column, p.EndLine, p.EndColumn}
}

func (r *Report) jsonInterleaving(f *Finding) *jsonInterleaving {
	if f.Story == nil {
		return nil
	}
	out := &jsonInterleaving{Start: f.Story.Start, Steps: []jsonStep{}, Orders: []jsonOrder{}, Legend: f.Story.Legend()}
	for i := range f.Story.Moves {
		m := &f.Story.Moves[i]
		who := "call"
		if m.Other {
			who = "other"
		}
		out.Steps = append(out.Steps, jsonStep{who, m.Op, m.Note, m.Breaking, r.jsonLocation(f.Places[i])})
	}
	for _, o := range f.Story.Orders {
		out.Orders = append(out.Orders, jsonOrder{o.Place, o.Why})
	}
	return out
}
