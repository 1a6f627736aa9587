package harm

import "sync"

// What a step tells its caller is no harm where no caller asks. Each of these has a map of its own, so
// that it only meets itself.
type jobs struct {
	mu  sync.Mutex
	all map[string]int
}

func (j *jobs) put(name string, n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all[name] = n
}

func (j *jobs) get(name string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, ok := j.all[name]
	return ok
}

// MediumDrop tells two calls that they have removed it, and nobody asks.
func (j *jobs) MediumDrop(name string) bool {
	if !j.get(name) {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.all, name)
	return true
}

type Runner struct{ jobs *jobs }

func (r *Runner) Run(name string) { r.jobs.put(name, 1) }

func (r *Runner) Cancel(name string) { go r.jobs.MediumDrop(name) }

func (r *Runner) Stop(name string) { defer r.jobs.MediumDrop(name) }

type asked struct {
	mu  sync.Mutex
	all map[string]int
}

func (a *asked) put(name string, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[name] = n
}

func (a *asked) get(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.all[name]
	return ok
}

// HighDrop does the same, and one of two callers asks.
func (a *asked) HighDrop(name string) bool {
	if !a.get(name) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.all, name)
	return true
}

type Asker struct{ jobs *asked }

func (r *Asker) Run(name string) { r.jobs.put(name, 1) }

func (r *Asker) Cancel(name string) { go r.jobs.HighDrop(name) }

func (r *Asker) Stop(name string) bool { return r.jobs.HighDrop(name) }

type given struct {
	mu  sync.Mutex
	all map[string]int
}

func (g *given) put(name string, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all[name] = n
}

func (g *given) get(name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.all[name]
	return ok
}

// HighGiven does the same, and is given to somebody who may ask.
func (g *given) HighGiven(name string) bool {
	if !g.get(name) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.all, name)
	return true
}

type Giver struct {
	jobs *given
	each func(func(string) bool)
}

func (r *Giver) Run(name string) { r.jobs.put(name, 1) }

func (r *Giver) Cancel(name string) {
	r.jobs.HighGiven(name)
	r.each(r.jobs.HighGiven)
}

type ledger struct {
	mu  sync.Mutex
	all map[string]string
	now func() string
}

func (l *ledger) get(name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[name]
}

// MediumReplace gives two calls the same old value, and nobody asks.
func (l *ledger) MediumReplace(name string) string {
	old := l.get(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all[name] = l.now()
	return old
}

type Keeper struct{ ledger *ledger }

func (k *Keeper) Keep(name string) { go k.ledger.MediumReplace(name) }

func (k *Keeper) Lose(name string) { k.ledger.MediumReplace(name) }

type told struct {
	mu  sync.Mutex
	all map[string]string
	now func() string
}

func (l *told) get(name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[name]
}

// HighReplace does the same, and one of two callers asks.
func (l *told) HighReplace(name string) string {
	old := l.get(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all[name] = l.now()
	return old
}

type Teller struct{ told *told }

func (k *Teller) Keep(name string) { go k.told.HighReplace(name) }

func (k *Teller) Lose(name string) string { return k.told.HighReplace(name) }
