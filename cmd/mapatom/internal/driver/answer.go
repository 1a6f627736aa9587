package driver

import (
	"bytes"
	"encoding/gob"
	"go/token"
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// encodeAnswer writes what was found in a package: its files, since all positions
// are in them, the diagnostics, and the Analyzer's result.
func encodeAnswer(fset *token.FileSet, l *loaded, found []analysis.Diagnostic, result any) ([]byte, error) {
	var out bytes.Buffer
	enc := gob.NewEncoder(&out)
	files := token.NewFileSet()
	for _, f := range l.files {
		files.AddExistingFiles(fset.File(f.FileStart))
	}
	if err := files.Write(enc.Encode); err != nil {
		return nil, err
	}
	if err := enc.Encode(found); err != nil {
		return nil, err
	}
	if result != nil {
		if err := enc.Encode(result); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// decodeAnswer reads it; the result goes to where result points, if that is
// anywhere.
func decodeAnswer(text []byte, result reflect.Value) (*token.FileSet, []analysis.Diagnostic, error) {
	dec := gob.NewDecoder(bytes.NewReader(text))
	files := token.NewFileSet()
	if err := files.Read(dec.Decode); err != nil {
		return nil, nil, err
	}
	var found []analysis.Diagnostic
	if err := dec.Decode(&found); err != nil {
		return nil, nil, err
	}
	if result.IsValid() {
		if err := dec.DecodeValue(result); err != nil {
			return nil, nil, err
		}
	}
	return files, found, nil
}
