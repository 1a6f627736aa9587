package trial

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/internal/checker/values"
)

// meet notes a cell that A's step acts on, if the step is a base operation
// itself, or an operation on a sync.Map that one is made of: what else is within
// one is the map's own affair.
func (x *execution) meet(op sched.Op, object, key any) {
	if op.File == "" || object == nil {
		return
	}
	_, isMap := object.(mapLike)
	switch {
	case isMap && key == nil:
		return // the whole map
	case op.Kind == sched.Lock || op.Kind == sched.RLock:
		return // of a section, which acts on what the lock guards
	case op.Within && !isMap:
		return
	}
	name := fmt.Sprint(op.Line, " ", texts([][]any{{key}})[0])
	n := 0
	for _, c := range x.cells {
		if c.object == object && c.key == key {
			return
		}
		if strings.HasPrefix(c.name, name) {
			n++
		}
	}
	x.cells = append(x.cells, cell{object: object, key: key, name: fmt.Sprint(name, " ", n)})
}

// names are those of the cells that were met.
func (x *execution) names() []string {
	names := make([]string, len(x.cells))
	for i, c := range x.cells {
		names[i] = c.name
	}
	return names
}

// observation is all that can be told apart, as text: what each call returned,
// A's first, and what the named cells hold in the end. Pointers are named by
// where they first come up.
func (x *execution) observation(names []string) []string {
	key := strings.Join(names, "\n")
	if text := x.seen[key]; text != nil {
		return text
	}
	seen := slices.Clone(x.results)
	for i := range x.after {
		seen = append(seen, x.after[i].results)
	}
	for _, name := range names {
		for _, c := range x.cells {
			if c.name == name {
				seen = append(seen, c.held)
			}
		}
	}
	for _, name := range names {
		for _, c := range x.cells {
			if c.name == name {
				seen = append(seen, []any{c.deep})
			}
		}
	}
	if x.seen == nil {
		x.seen = map[string][]string{}
	}
	x.seen[key] = texts(seen)
	return x.seen[key]
}

// explainedBy reports whether nothing tells the execution from another one.
// Which cells are met may depend on the order of the calls: those count that
// both have met.
func (x *execution) explainedBy(y *execution) bool {
	both := slices.DeleteFunc(x.names(), func(name string) bool { return !slices.Contains(y.names(), name) })
	return slices.Equal(x.observation(both), y.observation(both))
}

// texts are the texts of results, as JSON.
func texts(calls [][]any) []string {
	return values.Texts(func(s string) string {
		quoted, _ := json.Marshal(s) // which no string fails
		return string(quoted)
	}, calls)
}
