package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report/sarif"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report/sarif/sariftest"
	"github.com/mapatom/mapatom/internal/pages"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const source = `package store

func (s *Store) Get(k string) any {
	v, ok := /* ключ 🗝 */ s.m.Load(k)
	if !ok {
		s.m.Store(k, 1)
	}
	return v
}
`

// example has what formats have to escape and to count, a finding without an
// interleaving, and one outside of the root.
func example() *Report {
	const file = "/src/a b/store.go"
	load := Place{file, 4, 31, 4, 42}
	store := Place{file, 6, 3, 6, 18}
	r := &Report{
		Version: "v1.2.3", Root: "/src", Complete: true, Sources: map[string]string{file: source},
		Findings: []Finding{
			{
				Package: "example.com/store", Function: "(*Store).Get", Place: store, Category: "lost-update",
				Message: `Store can overwrite 100% of "it", <now>; use LoadOrStore (MA1001 lost-update)`,
				Related: []Note{{load, "Load is another part"}},
				Fixes: []Fix{{"Use LoadOrStore", []Edit{
					{store, "s.m.LoadOrStore(k, 1)"}, {Place{file, 1, 1, 1, 1}, "// x\n"}, {load, "y"},
				}}},
				Operations: []Operation{{"Load", load}, {"Store", store}}, Cell: "s.m[k]", Environment: "open",
				Repair: "use LoadOrStore",
				Story: &absint.Story{
					Start: "At first s.m[k] is absent.",
					Moves: []absint.Move{
						{Pos: register.Pos{File: "store.go", Line: 4}, Op: "Load", Note: "finds absent"},
						{Op: "stores v1", Note: "finds absent", Other: true},
						{Pos: register.Pos{File: "store.go", Line: 6}, Op: "Store(1)", Note: "overwrites v1", Breaking: true},
						{Op: "returns nil"},
					},
					Returns: true, Result: "nil",
					Orders: []absint.Telling{{Place: "first", Why: "it would return v1, not nil"}}, Made: []string{"v1"},
				},
				Places: []Place{load, store, store, store},
			},
			{
				Package: "example.com/store", Place: Place{File: file, Line: 8, Column: 2}, Category: "directive",
				Message: "//mapatom:ignore crash is not needed: there is no such finding (MA2001 directive)",
			},
			{
				Package: "example.com/other", Function: "F", Place: Place{"/elsewhere/x.go", 3, 1, 4, 1}, Category: "crash",
				Message: "m[k] can be gone (MA1004 crash)",
			},
		},
	}
	SetFingerprints(r.Findings)
	return r
}

var writers = map[string]func(*Report, io.Writer) error{
	"lines.txt": (*Report).WriteLines, "github.txt": (*Report).WriteGitHub, "checkstyle.xml": (*Report).WriteCheckstyle,
	"codeclimate.json": (*Report).WriteCodeClimate, "report.sarif": (*Report).WriteSARIF, "baseline.json": (*Report).WriteBaseline,
	"report.html": (*Report).WriteHTML, "report.json": (*Report).WriteJSON,
}

// TestWriters: the table has all that a report writes.
func TestWriters(t *testing.T) {
	var writes []string
	for m := range reflect.TypeFor[*Report]().Methods() {
		if strings.HasPrefix(m.Name, "Write") {
			writes = append(writes, m.Name)
		}
	}
	assert.Equal(t, len(writes), len(writers), "writers has not all of %v", writes)
}

// TestFormats compares each format with its golden file, and writes it twice.
func TestFormats(t *testing.T) {
	for name, write := range writers {
		var first, second bytes.Buffer
		require.NoError(t, write(example(), &first), name)
		require.NoError(t, write(example(), &second), name)
		assert.Equal(t, first.String(), second.String(), name)
		got := withoutPages(first.String())
		path := filepath.Join("testdata", name)
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), got, name)
	}
}

// withoutPages leaves the names of the pages that explain categories in the place
// of their text, which is not to be in every golden file.
func withoutPages(text string) string {
	for _, name := range pages.Categories() {
		page, _ := pages.Category(name)
		var quoted bytes.Buffer
		_ = writeJSON(&quoted, page.Text) // a text can be written
		text = strings.ReplaceAll(text, strings.TrimSpace(quoted.String()), `"page of `+name+`"`)
		text = strings.ReplaceAll(text, template.HTMLEscapeString(page.Text), "page of "+name)
	}
	return text
}

// TestNothing: no findings is well-formed as well.
func TestNothing(t *testing.T) {
	empty := &Report{Version: "devel", Root: "/src", Complete: true}
	want := map[string]string{"lines.txt": "", "github.txt": "", "codeclimate.json": "[]\n"}
	for name, write := range writers {
		var out bytes.Buffer
		require.NoError(t, write(empty, &out), name)
		if text, ok := want[name]; ok {
			assert.Equal(t, text, out.String(), name)
		}
		switch filepath.Ext(name) {
		case ".json":
			assert.True(t, json.Valid(out.Bytes()), name)
		case ".xml":
			assert.NoError(t, xml.Unmarshal(out.Bytes(), new(any)), name)
		case ".sarif":
			readSARIF(t, out.Bytes())
		}
	}
}

// TestPlaces: whatever places say, and whatever has become of the files since, each
// format is written, and SARIF is valid.
func TestPlaces(t *testing.T) {
	number := rapid.IntRange(0, 12)
	place := rapid.Custom(func(t *rapid.T) Place {
		file := rapid.SampledFrom([]string{"/src/a b/store.go", "/src/missing.go", "grammar.y"}).Draw(t, "file")
		p := Place{File: file, Line: number.Draw(t, "line") + 1, Column: number.Draw(t, "column")}
		if rapid.Bool().Draw(t, "end") {
			p.EndLine, p.EndColumn = p.Line+number.Draw(t, "lines"), number.Draw(t, "end column")
		}
		return p
	})
	rapid.Check(t, func(t *rapid.T) {
		r := example()
		for i := range r.Findings {
			f := &r.Findings[i]
			f.Place = place.Draw(t, "finding")
			for j := range f.Operations {
				f.Operations[j].Place = place.Draw(t, "operation")
			}
			for j := range f.Places {
				f.Places[j] = place.Draw(t, "step")
			}
			for _, fix := range f.Fixes {
				for j := range fix.Edits {
					fix.Edits[j].Place = place.Draw(t, "edit")
				}
			}
		}
		for name, write := range writers {
			var out bytes.Buffer
			require.NoError(t, write(r, &out), name)
			if filepath.Ext(name) == ".sarif" {
				readSARIF(t, out.Bytes())
			}
		}
	})
}

// readSARIF reads a log, which is to have nothing that says nothing.
func readSARIF(t require.TestingT, log []byte) *sarif.Run {
	run, err := sariftest.Read(log)
	require.NoError(t, err)
	return run
}

func TestSARIF(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, example().WriteSARIF(&out))
	run := readSARIF(t, out.Bytes())
	require.Len(t, run.Results, 3)
	first := run.Results[0]
	rule := run.Tool.Driver.Rules[first.RuleIndex]
	assert.Equal(t, "MA1001", rule.ID)
	assert.Contains(t, rule.Help.Markdown, "## Example")
	assert.Contains(t, run.OriginalURIBaseIDs, first.Locations[0].PhysicalLocation.ArtifactLocation.URIBaseID)
	assert.Equal(t, lineHashes(source)[5], first.PartialFingerprints["primaryLocationLineHash"])

	related := first.RelatedLocations[0].PhysicalLocation
	assert.Equal(t, "a%20b/store.go", related.ArtifactLocation.URI)
	assert.Equal(t, 25, related.Region.StartColumn, "letters of two bytes and one unit, and one of four bytes and two units")

	var order []int
	for _, thread := range first.CodeFlows[0].ThreadFlows {
		for _, loc := range thread.Locations {
			order = append(order, loc.ExecutionOrder)
		}
	}
	assert.Equal(t, []int{1, 3, 4, 2}, order)
	require.Len(t, first.Fixes[0].ArtifactChanges, 1)
	assert.Len(t, first.Fixes[0].ArtifactChanges[0].Replacements, 3)
	last := run.Results[2]
	assert.Equal(t, "file:///elsewhere/x.go", last.Locations[0].PhysicalLocation.ArtifactLocation.URI)
	assert.NotContains(t, last.PartialFingerprints, "primaryLocationLineHash", "its file is not at hand")
	assert.NotContains(t, out.String(), "/src/", "the root is not written")
}

// TestGitLab: each entry has what GitLab's page "Code Quality report format" requires, and
// of the severities one that it knows. An entry without one of them is dropped there, and
// of two with one fingerprint only one is shown.
func TestGitLab(t *testing.T) {
	r := example()
	var out bytes.Buffer
	require.NoError(t, r.WriteCodeClimate(&out))
	assert.True(t, strings.HasPrefix(out.String(), "["), "an array, without a byte order mark")
	var entries []map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &entries))
	require.Len(t, entries, len(r.Findings))
	seen := map[string]bool{}
	for i, e := range entries {
		for _, field := range []string{"description", "check_name", "fingerprint", "severity"} {
			text, _ := e[field].(string)
			assert.NotEmpty(t, text, "%d: %s", i, field)
		}
		assert.Contains(t, []any{"info", "minor", "major", "critical", "blocker"}, e["severity"])
		assert.False(t, seen[e["fingerprint"].(string)], "%d: the fingerprint is another one's", i)
		seen[e["fingerprint"].(string)] = true
		where, _ := e["location"].(map[string]any)
		path, _ := where["path"].(string)
		lines, _ := where["lines"].(map[string]any)
		assert.Equal(t, float64(r.Findings[i].Place.Line), lines["begin"], path)
		if rest, ok := strings.CutPrefix(r.Findings[i].Place.File, r.Root+"/"); ok {
			assert.Equal(t, rest, path, "from the root of the repository, and not from ./")
		}
	}
}

// TestFingerprints: they change with what a finding is about, and not with where
// it is.
func TestFingerprints(t *testing.T) {
	moved := example()
	for i := range moved.Findings {
		f := &moved.Findings[i]
		f.Place.Line += 10
		f.Place.File = strings.Replace(f.Place.File, "store.go", "other.go", 1)
		if len(f.Operations) > 0 {
			f.Message = "in other words"
		}
	}
	SetFingerprints(moved.Findings)
	for i, f := range example().Findings {
		assert.Equal(t, f.Fingerprint, moved.Findings[i].Fingerprint)
		assert.Len(t, f.Fingerprint, 32)
	}
	first := example().Findings[0]
	for _, change := range []func(*Finding){
		func(f *Finding) { f.Package += "x" }, func(f *Finding) { f.Function = "G" }, func(f *Finding) { f.Category = "crash" },
		func(f *Finding) { f.Cell = "s.n[k]" }, func(f *Finding) { f.Operations = f.Operations[1:] },
	} {
		two := []Finding{first, first, first}
		change(&two[1])
		SetFingerprints(two)
		assert.Equal(t, first.Fingerprint, two[0].Fingerprint)
		assert.NotEqual(t, two[0].Fingerprint, two[1].Fingerprint)
		assert.NotEqual(t, two[0].Fingerprint, two[2].Fingerprint, "the same once more")
	}
}

func TestBaseline(t *testing.T) {
	r := example()
	var file bytes.Buffer
	require.NoError(t, r.WriteBaseline(&file))
	known, err := ReadBaseline("known.json", bytes.NewReader(file.Bytes()))
	require.NoError(t, err)
	added, gone := known.Split(r.Findings)
	assert.Empty(t, added)
	assert.Zero(t, gone)

	fresh := r.Findings[0]
	fresh.Function = "New"
	now := []Finding{fresh, r.Findings[2]}
	SetFingerprints(now)
	added, gone = known.Split(now)
	assert.Equal(t, now[:1], added)
	assert.Equal(t, 2, gone)

	for text, want := range map[string]string{
		"{\n\"version\": 1,\n\"findingz\": []}": "known.json:3: not a baseline",
		"":                                      "known.json:1: not a baseline",
		"[]":                                    "known.json:1: not a baseline",
		`{"version": 7}`:                        "known.json: a baseline of version 7, want version 1",
	} {
		_, err := ReadBaseline("known.json", strings.NewReader(text))
		assert.ErrorContains(t, err, want, text)
	}
}

func FuzzBaseline(f *testing.F) {
	var file bytes.Buffer
	if err := example().WriteBaseline(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.String())
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBaseline("f", strings.NewReader(text))
		if (b == nil) == (err == nil) {
			t.Errorf("%q: %v, %v", text, b, err)
		}
	})
}
