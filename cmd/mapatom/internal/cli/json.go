package cli

import (
	"bytes"
	"encoding/json"
	"io"
)

// Encoder writes JSON in which <, > and & stand for themselves.
func Encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// Line is a value in a line of JSON.
func Line(v any) (string, error) {
	var line bytes.Buffer
	err := Encoder(&line).Encode(v)
	return line.String(), err
}

// PrintArray prints all rows of a command, one below the other.
func (a *App) PrintArray(rows any) error {
	enc := Encoder(a.Stdout)
	enc.SetIndent("", "\t")
	return enc.Encode(rows)
}
