package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/mapatom/mapatom/checker/certificate"
	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/checker/witness"
)

// outputs are the files that are written beside the verdicts. They are there
// when all inputs are done, or not at all.
type outputs struct {
	title             string
	page, certificate *outFile
	// Pictures of violations, and of the rest.
	bad, rest []*witness.Picture
	left      int // pictures that there is no room for
}

// maxPictures is how many a page has, so that a browser can show it.
const maxPictures = 50

// open creates the files, so that what cannot be written is known before the
// work is done.
func (m *monitoring) open(files []string) (*outputs, error) {
	var err error
	o := &outputs{title: witness.Count(len(files), "file")}
	if len(files) == 1 {
		o.title = filepath.Base(files[0])
	}
	if m.html != "" {
		o.page, err = newOutFile(m.html)
	}
	if m.certificate != "" && err == nil {
		o.certificate, err = newOutFile(m.certificate)
	}
	if err != nil {
		o.discard()
		return nil, cannot("Choose another file.", "%v", err)
	}
	return o, nil
}

// add takes from a verdict what is to be written.
func (o *outputs) add(c *checked) error {
	if c.whole != nil {
		list := &o.rest
		if c.verdict == search.Violation {
			list = &o.bad
		}
		if len(*list) < maxPictures {
			*list = append(*list, c.whole)
		} else {
			o.left++
		}
	}
	if c.proof == nil {
		return nil
	}
	_, err := o.certificate.Write(c.proof)
	return err
}

// commit writes the page and gives the files their names.
func (o *outputs) commit() error {
	if o.page != nil {
		if err := witness.WriteHTML(o.page, o.title, o.pictures()...); err != nil {
			return err
		}
	}
	for _, f := range []*outFile{o.page, o.certificate} {
		if f != nil {
			if err := f.commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// pictures are those for which there is room, violations first.
func (o *outputs) pictures() []*witness.Picture {
	all := append(o.bad, o.rest...)
	left := o.left + max(0, len(all)-maxPictures)
	if left > 0 {
		all = append(all[:maxPictures], &witness.Picture{
			Title: witness.Count(left, "more object"),
			Notes: []string{"Their verdicts are in what mapatom printed; this page has the violations first."},
		})
	}
	return all
}

// discard removes what was not committed.
func (o *outputs) discard() {
	for _, f := range []*outFile{o.page, o.certificate} {
		if f != nil {
			f.discard()
		}
	}
}

// outFile is a file that appears under its name when it is complete.
type outFile struct {
	*bufio.Writer
	file *os.File
	path string
	temp string // "" if the path is a device or a pipe, which is written directly
}

func newOutFile(path string) (*outFile, error) {
	info, err := os.Stat(path)
	mode := fs.FileMode(0o666)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &outFile{bufio.NewWriter(f), f, path, ""}, nil
	case err == nil:
		mode = info.Mode().Perm()
	}
	for {
		temp := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, about(path, err)
		}
		return &outFile{bufio.NewWriter(f), f, path, temp}, nil
	}
}

func (o *outFile) commit() error {
	err := errors.Join(o.Flush(), o.file.Close())
	if err != nil || o.temp == "" {
		return err
	}
	if err = os.Rename(o.temp, o.path); err == nil {
		o.temp = ""
	}
	return err
}

func (o *outFile) discard() {
	o.file.Close()
	if o.temp != "" {
		os.Remove(o.temp)
	}
}

// proofLine is the beginning of a line of a certificate. Operations are
// numbered from 0 in the order in which they stand in the file, those of each
// object by themselves. What follows is "linearization", the numbers in the
// order in which the operations take effect, or "core", the numbers of
// operations that are not linearizable by themselves, or nothing.
type proofLine struct {
	Version    int    `json:"version"`
	File       string `json:"file"`
	Object     string `json:"object"`
	Kind       string `json:"kind"`
	Operations int    `json:"operations"`
	Verdict    string `json:"verdict"`
}

// prove makes a line of a certificate. A linearization is replayed before:
// what does not hold is not written.
func prove(c *checked, l *history.Log, r *monitor.Result) ([]byte, error) {
	line, err := json.Marshal(proofLine{1, c.file, c.object, c.kind.String(), c.operations, c.verdict.String()})
	if err != nil {
		return nil, err
	}
	name, rows := "", []int32(nil)
	switch r.Verdict {
	case search.Linearizable:
		if err := certificate.Validate(l, r.Order); err != nil {
			return nil, fmt.Errorf("%s: internal error: the linearization does not hold: %w", c.name(), err)
		}
		name, rows = "linearization", r.Order
	case search.Violation:
		name, rows = "core", r.Core
	default:
		return append(line, '\n'), nil
	}
	line = append(line[:len(line)-1], `,"`+name+`":[`...)
	for i, row := range rows {
		if i > 0 {
			line = append(line, ',')
		}
		line = strconv.AppendInt(line, int64(row), 10)
	}
	return append(line, "]}\n"...), nil
}
