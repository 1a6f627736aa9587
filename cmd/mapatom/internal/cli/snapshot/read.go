package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// A recording is a history of a file and what it is called in what is printed.
type recording struct {
	name    string
	history *history.History
}

// read reads the histories of a file.
func (s *scanning) read(name string) ([]recording, error) {
	in := s.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, cli.About(name, err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, cli.About(name, err)
	}
	if all, err := readPictures(name, data); all != nil || err != nil {
		return all, err
	}
	h, err := readOne(name, data)
	return []recording{{name, h}}, err
}

// readOne reads a file that has one history. Events are read whatever kind their
// header says, since the methods of maps that the monitors know do not include
// scans.
func readOne(name string, data []byte) (*history.History, error) {
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte(`{"`)) {
		return history.ReadEvents(name, bytes.NewReader(data), history.Options{})
	}
	in, err := history.ReadInput(name, bytes.NewReader(data), history.Options{})
	switch {
	case err != nil:
		return nil, err
	case in.History != nil:
		return in.History, nil
	case len(in.Logs) == 1:
		return in.Logs[0].History(), nil
	}
	return nil, fmt.Errorf("%s: several objects or sections, want one history", name)
}

// recordedRow is what lineup -json prints for a test, and confirm -json for a
// finding, of which the history is null if there is nothing to show.
type recordedRow struct {
	Format   string           `json:"format"`   // of events
	Function string           `json:"function"` // of confirm
	Subject  string           `json:"subject"`  // of lineup
	Test     string           `json:"test"`
	History  *witness.Picture `json:"history"`
}

// isRecorded reports whether the row is one of these, and not of a history.
func (r *recordedRow) isRecorded() bool { return r.Format == "" && r.Function+r.Subject != "" }

// readPictures reads the histories that commands of ours have recorded on the
// user's compiled code. It gives nil for anything else.
func readPictures(name string, data []byte) ([]recording, error) {
	rows, err := rowsOf(data)
	if rows == nil {
		return nil, nil // another format, whose reader says what is wrong
	}
	if err != nil {
		return nil, fmt.Errorf("%s: row %d: %w", name, len(rows)+1, err)
	}
	all := []recording{}
	for _, row := range rows {
		if row.History == nil {
			continue
		}
		r := recording{name: name + ": " + row.Function + row.Test}
		if r.history, err = historyOf(row.History); err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no history was recorded, want one that the command found to be wrong", name)
	}
	return all, nil
}

// rowsOf reads an array of rows, or rows one after the other. It gives nil if the
// first one is none.
func rowsOf(data []byte) (rows []recordedRow, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	array := bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("["))
	if array {
		_, err = dec.Token()
	}
	for err == nil && dec.More() {
		var row recordedRow
		if err = dec.Decode(&row); err == nil {
			rows = append(rows, row)
		}
		if len(rows) == 0 || !rows[0].isRecorded() {
			return nil, nil
		}
	}
	if array && err == nil {
		_, err = dec.Token() // its end
	}
	return rows, err
}

// historyOf is the history that a picture shows.
func historyOf(p *witness.Picture) (*history.History, error) {
	if p.Omitted > 0 {
		return nil, fmt.Errorf("%s left out, want a whole history", witness.Count(p.Omitted, "operation"))
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	h := &history.History{Threads: slices.Clone(p.Threads)}
	for i := range p.Operations {
		op := &p.Operations[i]
		thread := slices.Index(h.Threads, op.Thread)
		if thread < 0 {
			thread = len(h.Threads)
			h.Threads = append(h.Threads, op.Thread)
		}
		h.Operations = append(h.Operations, history.Operation{
			Thread: thread, Object: op.Object, Method: op.Method, Args: valuesOf(op.Args),
			Call: op.Call, Return: int64(op.Return), Line: int32(op.Line),
		})
		if !op.Pending() {
			h.Operations[i].Results = valuesOf(op.Results)
		}
	}
	return h, h.Check()
}

// valuesOf are the values of a picture's texts. One that is not JSON is several
// with commas between them, or words.
func valuesOf(texts []string) []history.Value {
	values := []history.Value{}
	for _, text := range texts {
		var several []json.RawMessage
		if json.Unmarshal([]byte("["+text+"]"), &several) != nil {
			several = []json.RawMessage{[]byte(strconv.Quote(text))}
		}
		for _, raw := range several {
			values = append(values, history.Value(raw))
		}
	}
	return values
}
