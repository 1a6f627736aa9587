package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
)

// withoutKnown leaves out the findings of a baseline. On a terminal it says how
// many of the baseline are gone: the file can be written again.
func (a *app) withoutKnown(findings []finding, path string) ([]finding, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cannot("Write it with 'mapatom -write-baseline="+path+"'.", "there is no baseline %s", path)
	}
	if err != nil {
		return nil, cannot("Check the path of the baseline.", "%v", err)
	}
	defer f.Close()
	known, err := report.ReadBaseline(path, f)
	if err != nil {
		return nil, cannot("Write it again with 'mapatom -write-baseline="+path+"'.", "%v", err)
	}
	all := a.newReport(findings).Findings
	added, gone := known.Split(all)
	var out []finding
	for i := range findings {
		if len(added) > len(out) && all[i].Fingerprint == added[len(out)].Fingerprint {
			out = append(out, findings[i])
		}
	}
	if gone > 0 && isTerminal(a.stderr) {
		fmt.Fprintf(a.stderr, "%s of the baseline %s gone; write it again to forget about them\n", count(gone, "finding"), areOrIs(gone))
	}
	return out, nil
}

func areOrIs(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// writeFile writes a file that appears when it is complete.
func (a *app) writeFile(path string, write func(io.Writer) error) error {
	const advice = "Check that the directory exists and can be written to."
	f, err := newOutFile(path)
	if err != nil {
		return cannot(advice, "%v", err)
	}
	defer f.discard()
	if err := write(f); err != nil {
		return cannot(advice, "%s: %v", path, err)
	}
	if err := f.commit(); err != nil {
		return cannot(advice, "%v", err)
	}
	return nil
}
