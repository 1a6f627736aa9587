package witness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/mapatom/mapatom/checker/history"
)

// Version is the version of the JSON form that Write writes.
const Version = 1

// An Instant is when an operation returned. In JSON, history.Pending is null.
type Instant int64

// MarshalJSON writes a number or null.
func (t Instant) MarshalJSON() ([]byte, error) {
	if t == Instant(history.Pending) {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(t), 10), nil
}

// UnmarshalJSON reads a number or null.
func (t *Instant) UnmarshalJSON(text []byte) error {
	n := history.Pending
	if string(text) != "null" {
		if err := json.Unmarshal(text, &n); err != nil {
			return err
		}
	}
	*t = Instant(n)
	return nil
}

// UnmarshalJSON reads an operation. One that has no return did not return.
func (o *Operation) UnmarshalJSON(text []byte) error {
	type plain Operation
	read := plain{Call: history.Pending, Return: Instant(history.Pending)}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	if read.Call == history.Pending {
		return fmt.Errorf("operation %s has no call", text)
	}
	*o = Operation(read)
	return nil
}

// versioned is a picture as it stands in a file.
type versioned struct {
	Version int `json:"version"`
	Picture
}

// Write writes the JSON form in one line. Lists are never null.
func Write(w io.Writer, p *Picture) error {
	v := versioned{Version, *p}
	if v.Threads = p.lanes(); v.Threads == nil {
		v.Threads = []string{}
	}
	v.Operations = Tidy(p.Operations)
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&v); err != nil {
		return err
	}
	_, err := w.Write(line.Bytes())
	return err
}

// A Document is a picture as a part of a JSON value, in the form that Write writes.
type Document Picture

// MarshalJSON writes it.
func (d *Document) MarshalJSON() ([]byte, error) {
	var line bytes.Buffer
	err := Write(&line, (*Picture)(d))
	return line.Bytes(), err
}

// Tidy copies operations so that no list in them is null when they are
// written into a JSON value of the caller's.
func Tidy(ops []Operation) []Operation {
	out := make([]Operation, len(ops))
	for i, o := range ops {
		o.Args = append([]string{}, o.Args...)
		o.Results = append([]string{}, o.Results...)
		if o.Inner != nil {
			o.Inner = Tidy(o.Inner)
		}
		out[i] = o
	}
	return out
}

// Read reads one picture and checks it. It gives io.EOF where nothing is
// left, so that a file may hold several.
func Read(dec *json.Decoder) (*Picture, error) {
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		if err == io.EOF {
			return nil, err
		}
		return nil, fmt.Errorf("not a picture of a history: %w", err)
	}
	// The version first: what another version holds need not fit.
	var v versioned
	head := struct {
		Version *int `json:"version"`
	}{}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("not a picture of a history: %w", err)
	}
	if head.Version == nil {
		return nil, errors.New("not a picture of a history: it has no version")
	}
	if *head.Version != Version {
		return nil, fmt.Errorf("a picture of version %d: want version %d", *head.Version, Version)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("not a picture of a history: %w", err)
	}
	if v.Operations == nil {
		return nil, errors.New("not a picture of a history: it has no operations")
	}
	if err := v.Validate(); err != nil {
		return nil, fmt.Errorf("not a picture of a history: %w", err)
	}
	return &v.Picture, nil
}
