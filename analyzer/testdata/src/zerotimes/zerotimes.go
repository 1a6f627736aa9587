// Package zerotimes has a time that says something by being none.
package zerotimes

import (
	"sync"
	"time"
)

// Running has the zero time for what still runs, which is not forgotten.
type Running struct{ ended sync.Map }

//mapatom:atomic
func (r *Running) Start(id string) bool {
	if _, there := r.ended.LoadOrStore(id, time.Time{}); there {
		return false
	}
	_, still := r.ended.Load(id)
	return still
}

func (r *Running) Forget(id string) {
	if v, ok := r.ended.Load(id); ok && !v.(time.Time).IsZero() {
		r.ended.CompareAndDelete(id, v)
	}
}

// Started has it for what is to be forgotten.
type Started struct{ ended sync.Map }

//mapatom:atomic
func (r *Started) Start(id string) bool {
	if _, there := r.ended.LoadOrStore(id, time.Time{}); there {
		return false
	}
	_, still := r.ended.Load(id) // want "inconsistent-read"
	return still
}

func (r *Started) Forget(id string) {
	if v, ok := r.ended.Load(id); ok && v.(time.Time).IsZero() {
		r.ended.CompareAndDelete(id, v)
	}
}
