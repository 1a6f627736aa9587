package lineup

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/lineup"
)

// notes are what is to be known of a run besides its results.
func (l *lining) notes(f *found, failing *lineup.Result) []string {
	var all []string
	switch f.pkg.Path() {
	case "sync", "sync/atomic":
		all = append(all, fmt.Sprintf("what was run is the stand-in that %s has in instrumented code: a call on one entry or value is one step, whatever it is made of", f.harness.Name))
	}
	if failing != nil {
		for _, method := range reordered(failing.Failure) {
			all = append(all, fmt.Sprintf("%s() returned the same elements in another order: if that is as it should be, add -unordered=%s", method, method))
		}
	}
	for _, left := range f.harness.LeftOut {
		all = append(all, fmt.Sprintf("%s is not called: %s", left.Method, left.Reason))
	}
	return all
}

// reordered are the methods whose lists are all that a failing history and a
// serial one disagree about, and that have the same elements there.
func reordered(f *lineup.Failure) []string {
	for _, serial := range f.Nearest {
		if methods, ok := onlyReordered(f.History, serial); ok {
			return methods
		}
	}
	return nil
}

func onlyReordered(a, b *history.History) (methods []string, ok bool) {
	if len(a.Operations) != len(b.Operations) {
		return nil, false
	}
	others := byThread(b)
	for thread, operations := range byThread(a) {
		if len(operations) != len(others[thread]) {
			return nil, false
		}
		for i, o := range operations {
			other := others[thread][i]
			if slices.Equal(o.Results, other.Results) {
				continue
			}
			if o.Method != other.Method || !slices.EqualFunc(o.Results, other.Results, sameElements) {
				return nil, false
			}
			methods = append(methods, o.Method)
		}
	}
	slices.Sort(methods)
	methods = slices.Compact(methods)
	return methods, len(methods) > 0
}

// byThread are the operations of each thread.
func byThread(h *history.History) [][]*history.Operation {
	all := make([][]*history.Operation, len(h.Threads))
	for i := range h.Operations {
		o := &h.Operations[i]
		all[o.Thread] = append(all[o.Thread], o)
	}
	return all
}

// sameElements reports whether two results are the same, or lists with the
// same elements.
func sameElements(a, b history.Value) bool {
	x, y := elements(a), elements(b)
	return a == b || x != nil && slices.Equal(x, y)
}

// elements are those of a list, in the order of their texts.
func elements(v history.Value) []string {
	var list []json.RawMessage
	if !strings.HasPrefix(string(v), "[") || json.Unmarshal([]byte(v), &list) != nil {
		return nil
	}
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = string(e)
	}
	slices.Sort(texts)
	return texts
}
