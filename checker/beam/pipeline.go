package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/search"
)

// defaultPart is the fewest operations of a part: enough to be worth handing out.
const defaultPart = 1 << 14

// A Part is a history that is decided by itself.
type Part struct {
	File, Object string
	Log          []byte // a history.Log
	Error        string // why there is none
}

// An Outcome is what became of a part, and of objects that of all of them.
type Outcome struct {
	Verdict    string // "" of a file that could not be read
	Reason     string
	Operations int
	Line       int // of the first operation that contradicts others
}

func init() {
	register.DoFn3x1[context.Context, fileio.ReadableFile, func(Part), error](&cutFn{})
	register.Emitter1[Part]()
	register.Function2x3(decide)
	register.Function2x1(join)
	register.Function2x1(write)
	register.Iter1[Outcome]()
	register.Iter1[string]()
}

// pipeline reads the files, decides their parts and writes the report.
func pipeline(s beam.Scope, files, report string, least int) {
	matches := fileio.MatchFiles(s, files)
	read := fileio.ReadMatches(s, beam.Reshuffle(s, matches))
	parts := beam.Reshuffle(s, beam.ParDo(s, &cutFn{Least: least}, read))
	outcomes := beam.ParDo(s, decide, parts)
	lines := beam.ParDo(s, join, beam.GroupByKey(s, outcomes))
	textio.Write(s, report, beam.ParDo(s, write, beam.GroupByKey(s, beam.AddFixedKey(s, lines))))
}

// cutFn reads a file and cuts its histories into parts.
type cutFn struct{ Least int }

// ProcessElement gives the parts of one file. A file that is malformed is an
// outcome like others, and not the end of the pipeline.
func (c *cutFn) ProcessElement(ctx context.Context, f fileio.ReadableFile, emit func(Part)) error {
	r, err := f.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	name := f.Metadata.Path
	in, err := history.ReadInput(name, r, history.Options{})
	if err == nil && len(in.Logs) == 0 {
		err = fmt.Errorf("%s: a history that does not say of what kind its objects are", name)
	}
	if err != nil {
		emit(Part{File: name, Error: err.Error()})
		return nil
	}
	for _, l := range in.Logs {
		for _, part := range monitor.Split(l, c.Least) {
			var data bytes.Buffer
			if err := gob.NewEncoder(&data).Encode(part); err != nil {
				return err
			}
			emit(Part{File: name, Object: l.Object, Log: data.Bytes()})
		}
	}
	return nil
}

// decide gives the outcome of a part, by its object.
func decide(ctx context.Context, p Part) (object string, o Outcome, err error) {
	object = p.File
	if p.Object != "" {
		object += ": " + p.Object
	}
	if p.Error != "" {
		return object, Outcome{Reason: p.Error}, nil
	}
	var l history.Log
	if err := gob.NewDecoder(bytes.NewReader(p.Log)).Decode(&l); err != nil {
		return "", Outcome{}, fmt.Errorf("a part of %s: %w", object, err)
	}
	r, err := monitor.Check(ctx, &l, monitor.Options{Workers: 1})
	if err != nil {
		return "", Outcome{}, fmt.Errorf("%s: %w", object, err)
	}
	o = Outcome{Verdict: r.Verdict.String(), Reason: r.Reason, Operations: l.Len()}
	if r.Verdict == search.Violation {
		core := l.Select(r.Core)
		o.Line, o.Reason = core.LineOf(0), monitor.Why(core)
	}
	return object, o, nil
}

// join makes a line of the report of the outcomes of an object's parts: a
// violation says more than what is unknown, and the first one most.
func join(object string, parts func(*Outcome) bool) string {
	rank := func(o *Outcome) int {
		return slices.Index([]string{search.Linearizable.String(), search.Unknown.String(), search.Violation.String(), ""}, o.Verdict)
	}
	var all, o Outcome
	first, n := true, 0
	for parts(&o) {
		n++
		if first || rank(&o) > rank(&all) || rank(&o) == rank(&all) && (o.Line < all.Line || o.Line == all.Line && o.Reason < all.Reason) {
			all, first = o, false
		}
	}
	if all.Verdict == "" {
		return all.Reason
	}
	text := fmt.Sprintf("%s: %s", object, all.Verdict)
	if all.Line > 0 {
		text += fmt.Sprintf(" at line %d", all.Line)
	}
	if all.Reason != "" {
		text += ": " + all.Reason
	}
	return text
}

// write makes the report of its lines, in order.
func write(_ int, lines func(*string) bool) string {
	var all []string
	var line string
	for lines(&line) {
		all = append(all, line)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}
