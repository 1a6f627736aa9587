// Package report shows what package lineup has found: in text with a picture
// of the history, and as pictures for a page. It is apart from lineup, which
// is compiled into the module of the user.
package report

import (
	"fmt"
	"strings"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// Text is a failing result for a terminal: the test as a matrix, the history
// as a picture, the serial histories that come nearest, and the schedule.
func Text(r *lineup.Result, opts witness.TextOptions) string {
	f := r.Failure
	return fmt.Sprintf("%s\n%s\n\n%s\n%s",
		r.Test.Matrix(), f.Sentence(), strings.TrimRight(picture(f).Text(opts), "\n")+"\n", f.Comparison())
}

// picture is the history that cannot be explained.
func picture(f *lineup.Failure) *witness.Picture {
	p := witness.FromHistory(f.History)
	p.Kind, p.Verdict, p.Reason = "", "violation", f.Sentence()
	if f.Blocked >= 0 {
		p.Core = []int{f.Blocked}
	}
	return p
}

// Pictures are the failing history of a result and the serial ones that come
// nearest, for a page.
func Pictures(r *lineup.Result, title string) []*witness.Picture {
	first := picture(r.Failure)
	first.Title = title
	first.Notes = append(first.Notes, "Test: "+r.Test.String(), "Schedule: "+r.Failure.Schedule)
	all := []*witness.Picture{first}
	for i, h := range r.Failure.Nearest {
		p := witness.FromHistory(h)
		p.Kind, p.Title = "", fmt.Sprintf("Serial history %d, for comparison", i+1)
		all = append(all, p)
	}
	return all
}
