package main

import (
	"fmt"
	"os"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
)

// writePage writes the page of -html, with what the real code did if that is
// known.
func (a *app) writePage(findings []finding, o *findingsFlags) error {
	r := a.newReport(findings)
	if o.confirmed != "" {
		const advice = "Write it with 'mapatom confirm -json' and the same packages."
		f, err := os.Open(o.confirmed)
		if err != nil {
			return cannot(advice, "%v", err)
		}
		defer f.Close()
		runs, err := report.ReadConfirmed(o.confirmed, f)
		if err != nil {
			return cannot(advice, "%v", err)
		}
		if left := r.Confirm(runs); left > 0 {
			fmt.Fprintf(a.stderr, "mapatom: %s of %s fit no finding; was it written for other packages?\n", count(left, "result"), o.confirmed)
		}
	}
	return a.writeFile(o.html, r.WriteHTML)
}
