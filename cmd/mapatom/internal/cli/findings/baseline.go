package findings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// withoutKnown leaves out the findings of a baseline. On a terminal it says how
// many of the baseline are gone: the file can be written again.
func (a *reporting) withoutKnown(findings []finding, path string) ([]finding, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.Cannot("Write it with 'mapatom -write-baseline="+path+"'.", "there is no baseline %s", path)
	}
	if err != nil {
		return nil, cli.Cannot("Check the path of the baseline.", "%v", err)
	}
	defer f.Close()
	known, err := report.ReadBaseline(path, f)
	if err != nil {
		return nil, cli.Cannot("Write it again with 'mapatom -write-baseline="+path+"'.", "%v", err)
	}
	all := a.newReport(findings).Findings
	added, gone := known.Split(all)
	var out []finding
	for i := range findings {
		if len(added) > len(out) && all[i].Fingerprint == added[len(out)].Fingerprint {
			out = append(out, findings[i])
		}
	}
	if gone > 0 && cli.IsTerminal(a.Stderr) {
		fmt.Fprintf(a.Stderr, "%s of the baseline %s gone; write it again to forget about them\n", witness.Count(gone, "finding"), areOrIs(gone))
	}
	return out, nil
}

func areOrIs(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
