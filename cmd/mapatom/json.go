package main

import (
	"bytes"
	"encoding/json"
	"io"
)

// encoder writes JSON in which <, > and & stand for themselves.
func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// jsonLine is a value in a line of JSON.
func jsonLine(v any) (string, error) {
	var line bytes.Buffer
	err := encoder(&line).Encode(v)
	return line.String(), err
}

// printJSONArray prints all rows of a command, one below the other.
func (a *app) printJSONArray(rows any) error {
	enc := encoder(a.stdout)
	enc.SetIndent("", "\t")
	return enc.Encode(rows)
}
