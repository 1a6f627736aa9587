package sections

import (
	"strings"
	"sync"
)

// Turns has a lock for each name. Whoever has had his turn takes the lock away for which
// others wait, and who comes next makes another one.
type Turns struct {
	mu    sync.Mutex
	locks map[string]*turn
}

type turn struct{ mu sync.Mutex }

func (t *Turns) take(name string) *turn {
	t.mu.Lock()
	l := t.locks[name]
	if l == nil {
		l = new(turn)
		t.locks[name] = l
	}
	t.mu.Unlock()
	l.mu.Lock()
	return l
}

func (t *Turns) Run(name string, f func()) {
	l := t.take(name)
	f()
	l.mu.Unlock()
	t.mu.Lock()
	delete(t.locks, name) // want "stale-delete"
	t.mu.Unlock()
}

// CountedTurns takes it away when nobody waits for it.
type CountedTurns struct {
	mu    sync.Mutex
	locks map[string]*countedTurn
}

type countedTurn struct {
	mu    sync.Mutex
	users int
}

func (t *CountedTurns) take(name string) *countedTurn {
	t.mu.Lock()
	l := t.locks[name]
	if l == nil {
		l = new(countedTurn)
		t.locks[name] = l
	}
	l.users++
	t.mu.Unlock()
	l.mu.Lock()
	return l
}

func (t *CountedTurns) Run(name string, f func()) {
	l := t.take(name)
	f()
	l.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(t.locks, name)
	}
}

// Flights has who finds somebody at it wait for him, and takes away only what the call has
// put there itself.
type Flights struct {
	mu     sync.Mutex
	flying map[string]*flight
}

type flight struct {
	mu     sync.Mutex
	result int
}

func (f *Flights) Do(name string, work func() int) int {
	f.mu.Lock()
	if l, ok := f.flying[name]; ok {
		f.mu.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.result
	}
	l := new(flight)
	l.mu.Lock()
	f.flying[name] = l
	f.mu.Unlock()
	l.result = work()
	l.mu.Unlock()
	f.mu.Lock()
	delete(f.flying, name)
	f.mu.Unlock()
	return l.result
}

// CheckedTurns looks again whether the lock that was waited for is still that of the entry.
type CheckedTurns struct {
	mu    sync.Mutex
	locks map[string]*checkedTurn
}

type checkedTurn struct {
	mu   sync.Mutex
	gone bool
}

func (t *CheckedTurns) take(name string) *checkedTurn {
	for {
		t.mu.Lock()
		l := t.locks[name]
		if l == nil {
			l = new(checkedTurn)
			t.locks[name] = l
		}
		t.mu.Unlock()
		l.mu.Lock()
		if !l.gone {
			return l
		}
		l.mu.Unlock()
	}
}

func (t *CheckedTurns) Run(name string, f func()) {
	l := t.take(name)
	defer l.mu.Unlock()
	f()
	l.gone = true
	t.mu.Lock()
	delete(t.locks, name)
	t.mu.Unlock()
}

// WrittenTurns lets go of the lock, and of its entry, wherever it returns.
type WrittenTurns struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (t *WrittenTurns) take(name string) (release func()) {
	name = strings.ToLower(name)
	t.mu.Lock()
	l := t.locks[name]
	if l == nil {
		l = new(sync.Mutex)
		t.locks[name] = l
	}
	t.mu.Unlock()
	l.Lock()
	return func() {
		t.mu.Lock()
		delete(t.locks, name) // want "stale-delete"
		t.mu.Unlock()
		l.Unlock()
	}
}

func (t *WrittenTurns) Run(name string, f func() error, g func() error) error {
	defer t.take(name)()
	if err := f(); err != nil {
		return err
	}
	return g()
}

// SharedTurns does so too, and leaves the entry to the last who has it.
type SharedTurns struct {
	mu    sync.Mutex
	locks map[string]*sharedTurn
}

type sharedTurn struct {
	mu    sync.Mutex
	users int
}

func (t *SharedTurns) take(name string) (release func()) {
	name = strings.ToLower(name)
	t.mu.Lock()
	l := t.locks[name]
	if l == nil {
		l = new(sharedTurn)
		t.locks[name] = l
	}
	l.users++
	t.mu.Unlock()
	l.mu.Lock()
	return func() {
		t.mu.Lock()
		if l.users--; l.users == 0 {
			delete(t.locks, name)
		}
		t.mu.Unlock()
		l.mu.Unlock()
	}
}

func (t *SharedTurns) Run(name string, f func() error, g func() error) error {
	defer t.take(name)()
	if err := f(); err != nil {
		return err
	}
	return g()
}

// FoundTurns are taken and let go by two methods: the second one finds the lock again, and takes it away.
type FoundTurns struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (t *FoundTurns) Lock(name string) {
	t.mu.Lock()
	l, ok := t.locks[name]
	if !ok {
		l = new(sync.Mutex)
		t.locks[name] = l
	}
	t.mu.Unlock()
	l.Lock()
}

func (t *FoundTurns) Unlock(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.locks[name]
	delete(t.locks, name) // want "stale-delete"
	l.Unlock()
}

func (t *FoundTurns) Run(name string, f func()) {
	t.Lock(name)
	defer t.Unlock(name)
	f()
}

// LastTurns takes it away if nobody waits.
type LastTurns struct {
	mu    sync.Mutex
	locks map[string]*sharedTurn
}

func (t *LastTurns) Lock(name string) {
	t.mu.Lock()
	l, ok := t.locks[name]
	if !ok {
		l = new(sharedTurn)
		t.locks[name] = l
	}
	l.users++
	t.mu.Unlock()
	l.mu.Lock()
}

func (t *LastTurns) Unlock(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.locks[name]
	if l.users--; l.users == 0 {
		delete(t.locks, name)
	}
	l.mu.Unlock()
}

func (t *LastTurns) Run(name string, f func()) {
	t.Lock(name)
	defer t.Unlock(name)
	f()
}

// Parser takes a lock that one of many ways chooses, round after round: to go through them one by one would not end.
type Parser struct {
	mu    sync.Mutex
	locks [16]sync.Mutex
	seen  map[string]int
}

func (p *Parser) Parse(text string, start int) int {
	mu, state := &p.locks[start], start
	for _, c := range text {
		switch {
		case c == 'a':
			mu = &p.locks[1]
		case c == 'b':
			mu = &p.locks[2]
		case c == 'c':
			mu = &p.locks[3]
		case c == 'd':
			mu = &p.locks[4]
		case c == 'e':
			continue
		case c == 'f':
			continue
		case c == 'g':
			continue
		case c == 'h':
			continue
		case c == 'i':
			continue
		case c == 'j':
			continue
		}
		mu.Lock()
		state++
		mu.Unlock()
	}
	mu.Lock()
	defer mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[text] = state
	return state
}
