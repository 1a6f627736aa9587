package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/mapatom/mapatom/internal/pages"
)

// WriteLines writes a line for each finding, as compilers do: FILE:LINE:COLUMN:
// and the message. Editors and problem matchers parse it.
func (r *Report) WriteLines(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		fmt.Fprintf(out, "%s:%s: %s\n", r.path(f.Place.File), f.Place.at(), f.line())
	}
	return out.Flush()
}

// WriteGitHub writes the workflow commands from which GitHub makes annotations
// in a pull request.
func (r *Report) WriteGitHub(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		fmt.Fprintf(out, "::warning file=%s,line=%d", property.Replace(r.path(f.Place.File)), f.Place.Line)
		if f.Place.Column > 0 {
			fmt.Fprintf(out, ",col=%d", f.Place.Column)
			if f.Place.EndLine == f.Place.Line { // GitHub takes columns only within a line
				fmt.Fprintf(out, ",endLine=%d,endColumn=%d", f.Place.EndLine, f.Place.EndColumn)
			}
		}
		fmt.Fprintf(out, ",title=%s::%s\n", property.Replace("mapatom: "+pages.Label(f.Category)), data.Replace(f.text()))
	}
	return out.Flush()
}

// data and property are the escapes of workflow commands.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// checkstyle is the root element of a Checkstyle file.
type checkstyle struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// WriteCheckstyle writes the XML that Jenkins, SonarQube and others read.
func (r *Report) WriteCheckstyle(w io.Writer) error {
	doc := checkstyle{Version: "5.0"}
	for _, f := range r.Findings {
		name := r.path(f.Place.File)
		if n := len(doc.Files); n == 0 || doc.Files[n-1].Name != name {
			doc.Files = append(doc.Files, checkstyleFile{Name: name})
		}
		file := &doc.Files[len(doc.Files)-1]
		file.Errors = append(file.Errors, checkstyleError{
			f.Place.Line, f.Place.Column, "warning", f.line(), "mapatom." + pages.ID(f.Category),
		})
	}
	text, err := xml.MarshalIndent(doc, "", "\t")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// issue is an entry of a Code Climate report.
type issue struct {
	Type        string        `json:"type"`
	CheckName   string        `json:"check_name"`
	Description string        `json:"description"`
	Content     *issueContent `json:"content,omitempty"`
	Categories  []string      `json:"categories"`
	Severity    string        `json:"severity"`
	Fingerprint string        `json:"fingerprint"`
	Location    issueLocation `json:"location"`
}

type issueContent struct {
	Body string `json:"body"`
}

type issueLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// WriteCodeClimate writes the JSON that GitLab shows in merge requests.
func (r *Report) WriteCodeClimate(w io.Writer) error {
	issues := []issue{}
	for _, f := range r.Findings {
		is := issue{
			Type: "issue", CheckName: "mapatom/" + pages.ID(f.Category), Description: f.line(),
			Categories: []string{"Bug Risk"}, Severity: "major", Fingerprint: f.Fingerprint,
			Location: issueLocation{Path: r.path(f.Place.File)},
		}
		is.Location.Lines.Begin = f.Place.Line
		if story := f.story(); story != nil {
			is.Content = &issueContent{strings.Join(story, "\n")}
		}
		issues = append(issues, is)
	}
	return writeJSON(w, issues)
}
