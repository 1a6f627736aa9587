package e24

import "sync"

type request struct {
	mu   sync.Mutex
	done bool
}

func (r *request) finish() {
	r.mu.Lock()
	r.done = true
	r.mu.Unlock()
}

// Requests has requests under names that are drawn.
type Requests struct {
	mu   sync.Mutex
	open map[string]*request
}

// HiddenAgain draws another name if the one that it has drawn is taken.
func (r *Requests) HiddenAgain(draw func() string) *request {
	var name string
	for {
		name = random()
		r.mu.Lock()
		_, taken := r.open[name]
		r.mu.Unlock()
		if !taken {
			break
		}
	}
	mine := &request{}
	r.mu.Lock()
	r.open[name] = mine
	r.mu.Unlock()
	return mine
}

func (r *Requests) Finish(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q, ok := r.open[name]; ok {
		q.finish()
		delete(r.open, name)
	}
}

var random func() string
