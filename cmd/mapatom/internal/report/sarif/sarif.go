// Package sarif has the types of SARIF 2.1.0 that mapatom writes, under the names of the
// standard. What is not said is left out: a property that is empty, or a number that is not
// known, is not written as [] or -1. The standard's own defaults are what is meant then.
package sarif

import (
	"encoding/json"
	"io"
)

// Version and Schema are those of the standard.
const (
	Version = "2.1.0"
	Schema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// Log is a file.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []Run  `json:"runs"`
}

// Run is one run of one tool. Results are written even if there are none, which says that
// there was something to look at.
type Run struct {
	Tool               Tool                        `json:"tool"`
	Invocations        []Invocation                `json:"invocations,omitempty"`
	OriginalURIBaseIDs map[string]ArtifactLocation `json:"originalUriBaseIds,omitempty"`
	ColumnKind         string                      `json:"columnKind,omitempty"`
	Results            []Result                    `json:"results"`
}

// Tool has the driver only: there are no extensions.
type Tool struct {
	Driver Driver `json:"driver"`
}

// Driver is what found it.
type Driver struct {
	Name           string `json:"name"`
	Version        string `json:"version,omitempty"`
	InformationURI string `json:"informationUri,omitempty"`
	Rules          []Rule `json:"rules,omitempty"`
}

// Rule is a reportingDescriptor.
type Rule struct {
	ID                   string         `json:"id"`
	Name                 string         `json:"name,omitempty"`
	ShortDescription     *Message       `json:"shortDescription,omitempty"`
	FullDescription      *Message       `json:"fullDescription,omitempty"`
	HelpURI              string         `json:"helpUri,omitempty"`
	Help                 *Message       `json:"help,omitempty"`
	DefaultConfiguration *Configuration `json:"defaultConfiguration,omitempty"`
	Properties           Properties     `json:"properties,omitempty"`
}

// Configuration is a reportingConfiguration.
type Configuration struct {
	Level string `json:"level,omitempty"`
}

// Properties is a propertyBag.
type Properties map[string]any

// Message is a text, in Markdown as well if that is not empty.
type Message struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

// Text is a message without Markdown.
func Text(text string) *Message { return &Message{Text: text} }

// Invocation says whether the run came to its end.
type Invocation struct {
	ExecutionSuccessful bool `json:"executionSuccessful"`
}

// Result is one finding. Rank, from 0 to 100, is how sure it is; 0 is not said.
type Result struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level,omitempty"`
	Rank                float64           `json:"rank,omitempty"`
	Message             Message           `json:"message"`
	Locations           []Location        `json:"locations,omitempty"`
	RelatedLocations    []Location        `json:"relatedLocations,omitempty"`
	CodeFlows           []CodeFlow        `json:"codeFlows,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
	Fixes               []Fix             `json:"fixes,omitempty"`
	Properties          Properties        `json:"properties,omitempty"`
}

// Location is a place, with what is to be said of it.
type Location struct {
	ID               int               `json:"id,omitempty"`
	Message          *Message          `json:"message,omitempty"`
	PhysicalLocation *PhysicalLocation `json:"physicalLocation,omitempty"`
	LogicalLocations []LogicalLocation `json:"logicalLocations,omitempty"`
}

// PhysicalLocation is a part of a file.
type PhysicalLocation struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Region           *Region          `json:"region,omitempty"`
}

// ArtifactLocation is a file, or a folder that others are relative to.
type ArtifactLocation struct {
	URI         string   `json:"uri,omitempty"`
	URIBaseID   string   `json:"uriBaseId,omitempty"`
	Description *Message `json:"description,omitempty"`
}

// Region counts from 1; the end is behind the last character.
type Region struct {
	StartLine   int      `json:"startLine"`
	StartColumn int      `json:"startColumn,omitempty"`
	EndLine     int      `json:"endLine,omitempty"`
	EndColumn   int      `json:"endColumn,omitempty"`
	Snippet     *Message `json:"snippet,omitempty"`
}

// LogicalLocation is a function or a package.
type LogicalLocation struct {
	Name               string `json:"name,omitempty"`
	FullyQualifiedName string `json:"fullyQualifiedName,omitempty"`
	Kind               string `json:"kind,omitempty"`
}

// CodeFlow is what happened, in one or more goroutines.
type CodeFlow struct {
	Message     *Message     `json:"message,omitempty"`
	ThreadFlows []ThreadFlow `json:"threadFlows"`
}

// ThreadFlow is what one goroutine did.
type ThreadFlow struct {
	ID        string               `json:"id,omitempty"`
	Message   *Message             `json:"message,omitempty"`
	Locations []ThreadFlowLocation `json:"locations"`
}

// ThreadFlowLocation is one step; ExecutionOrder is among those of all goroutines.
type ThreadFlowLocation struct {
	Location       Location `json:"location"`
	ExecutionOrder int      `json:"executionOrder,omitempty"`
	Importance     string   `json:"importance,omitempty"`
}

// Fix is a change of some files.
type Fix struct {
	Description     *Message         `json:"description,omitempty"`
	ArtifactChanges []ArtifactChange `json:"artifactChanges"`
}

// ArtifactChange is the change of one file.
type ArtifactChange struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Replacements     []Replacement    `json:"replacements"`
}

// Replacement puts a text in the place of what is there.
type Replacement struct {
	DeletedRegion   Region           `json:"deletedRegion"`
	InsertedContent *ArtifactContent `json:"insertedContent,omitempty"`
}

// ArtifactContent is the text of a file, or of a part of it.
type ArtifactContent struct {
	Text string `json:"text"`
}

// Write writes a log of one run.
func Write(w io.Writer, run Run) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	return enc.Encode(Log{Schema, Version, []Run{run}})
}
