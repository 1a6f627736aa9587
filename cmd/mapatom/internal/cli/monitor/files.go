package monitor

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/certificate"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// outputs are the files that are written beside the verdicts. They are there
// when all inputs are done, or not at all.
type outputs struct {
	title             string
	page, certificate *cli.OutFile
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
		o.page, err = cli.NewOutFile(m.html)
	}
	if m.certificate != "" && err == nil {
		o.certificate, err = cli.NewOutFile(m.certificate)
	}
	if err != nil {
		o.discard()
		return nil, cli.Cannot("Choose another file.", "%v", err)
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
	for _, f := range []*cli.OutFile{o.page, o.certificate} {
		if f != nil {
			if err := f.Commit(); err != nil {
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
	for _, f := range []*cli.OutFile{o.page, o.certificate} {
		if f != nil {
			f.Discard()
		}
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
			return nil, fmt.Errorf("%s: internal error: the linearization does not hold: %w", result.Name(c.file, c.object), err)
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
