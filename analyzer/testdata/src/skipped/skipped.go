// Package skipped proves what is not reported although the engine knows better:
// what runs before there are other goroutines, tests, and generated files. The
// method here shows that the same code is reported elsewhere.
package skipped

import "sync"

type session struct {
	mu   sync.Mutex
	hits int
}

// Reported is the same step in an ordinary function.
type Reported struct{ m sync.Map }

func (r *Reported) Put(id string, s *session) { r.m.Store(id, s) }

func (r *Reported) Ensure(id string) {
	if _, ok := r.m.Load(id); !ok {
		r.m.Store(id, &session{}) // want "lost-update"
	}
}

var started sync.Map

func Start(id string, s *session) { started.Store(id, s) }

func init() {
	if _, ok := started.Load("main"); !ok {
		started.Store("main", &session{})
	}
}

// preset is computed while the package is initialized.
var preset = func() bool {
	_, ok := started.Load("preset")
	if !ok {
		started.Store("preset", &session{})
	}
	return ok
}()

// Preset tells whether the entry was there at the start.
func Preset() bool { return preset }
