package harm

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

var errFull = errors.New("there is no room")

type bid struct{ cents int }

// Lot is sold to who has bid the most. Those who ask for it do so each in a request.
type Lot struct {
	minimum int
	best    atomic.Pointer[bid]
	known   atomic.Pointer[bid]
}

func (l *Lot) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	b := bid{len(r.Host)}
	if l.HighBid(b) != nil && l.MediumKnow(b) == nil {
		l.MediumSwap(b)
	}
}

func (l *Lot) asking() int {
	if b := l.best.Load(); b != nil {
		return b.cents + 1
	}
	return l.minimum
}

// HighBid takes a bid that is too low by now.
func (l *Lot) HighBid(b bid) error {
	if want := l.asking(); b.cents < want {
		return fmt.Errorf("%d is less than %d", b.cents, want)
	}
	l.best.Store(&b)
	return nil
}

// MediumKnow refuses no bid because of another one.
func (l *Lot) MediumKnow(b bid) error {
	if want := l.minimum; b.cents < want {
		return fmt.Errorf("%d is less than %d", b.cents, want)
	}
	if old := l.known.Load(); old == nil || old.cents < b.cents {
		l.known.Store(&b)
	}
	return nil
}

// MediumSwap is told whether another one came first.
func (l *Lot) MediumSwap(b bid) error {
	old := l.known.Load()
	if old != nil && b.cents < old.cents {
		return fmt.Errorf("%d is less than %d", b.cents, old.cents)
	}
	if !l.known.CompareAndSwap(old, &b) {
		return errFull
	}
	return nil
}

// Uploads keep users inside what they may store.
type Uploads struct {
	max  int
	save store
	used usage
}

type store interface{ put(name string) error }

// usage has the bytes that users have stored.
type usage interface {
	of(user string) (int, error)
	add(user string, n int) error
}

type inMemory struct {
	mu   sync.Mutex
	used map[string]int
}

func NewUploads(n int, save store) *Uploads {
	return &Uploads{max: n, save: save, used: &inMemory{used: map[string]int{}}}
}

func (m *inMemory) of(user string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used[user], nil
}

// add also says what is wrong with a number.
func (m *inMemory) add(user string, n int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used[user]+n < 0 {
		return fmt.Errorf("%s would have less than nothing", user)
	}
	m.used[user] += n
	return nil
}

// HighStore lets in two of whom one should be refused, and may have to tell something else.
func (u *Uploads) HighStore(user string, n int) error {
	used, err := u.used.of(user)
	if err != nil {
		return err
	}
	if used+n > u.max {
		return errFull
	}
	if err := u.save.put(user); err != nil {
		return err
	}
	return u.used.add(user, n)
}

// MediumStore refuses nobody: it only saves again who has much.
func (u *Uploads) MediumStore(user string, n int) error {
	used, err := u.used.of(user)
	if err != nil {
		return err
	}
	if used+n > u.max {
		if err := u.save.put(user); err != nil {
			return err
		}
	}
	return u.used.add(user, n)
}

// Guesses counts those that were wrong, and forgets them after some time.
type Guesses struct {
	max int
	mu  sync.Mutex
	of  map[string]guesses
}

type guesses struct {
	n     int
	first time.Time
}

func NewGuesses(n int) *Guesses { return &Guesses{max: n, of: map[string]guesses{}} }

func (g *Guesses) blocked(user string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	seen, ok := g.of[user]
	if ok && now.Sub(seen.first) > time.Hour {
		delete(g.of, user)
		return false
	}
	return seen.n >= g.max
}

func (g *Guesses) wrong(user string, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	seen, ok := g.of[user]
	if !ok {
		seen.first = now
	}
	seen.n++
	g.of[user] = seen
}

func (g *Guesses) forget(user string) {
	g.mu.Lock()
	delete(g.of, user)
	g.mu.Unlock()
}

// HighGuess lets many guess before the first of them is found to be wrong.
func (g *Guesses) HighGuess(w http.ResponseWriter, user string, right bool) {
	now := time.Now()
	if g.blocked(user, now) {
		http.Error(w, "wait", http.StatusTooManyRequests)
		return
	}
	if !right {
		g.wrong(user, now)
		http.Error(w, "no", http.StatusUnauthorized)
		return
	}
	g.forget(user)
}

// MediumGuess tells all who are wrong the same.
func (g *Guesses) MediumGuess(w http.ResponseWriter, user string, right bool) {
	now := time.Now()
	if !g.blocked(user, now) && !right {
		g.wrong(user, now)
	}
	if !right {
		http.Error(w, "no", http.StatusUnauthorized)
	}
}

// Parts come from several connections, and who brings the last one has them all written.
type Parts struct {
	all   []atomic.Bool
	come  atomic.Int32
	seen  atomic.Int32
	write func()
}

func NewParts(n int, write func()) *Parts {
	return &Parts{all: make([]atomic.Bool, n), write: write}
}

func (p *Parts) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	if !p.HighPut(len(r.Host)) {
		p.MediumPut(len(r.Host))
	}
}

// HighPut has them written twice, by two that have both come: that each has a place of its own keeps
// neither of them away.
func (p *Parts) HighPut(n int) bool {
	if !p.all[n].CompareAndSwap(false, true) {
		return false
	}
	p.come.Add(1)
	if int(p.come.Load()) == len(p.all) {
		p.write()
		return true
	}
	return false
}

// MediumPut only stops at a limit, which two may find that are over it.
func (p *Parts) MediumPut(n int) bool {
	if !p.all[n].CompareAndSwap(false, true) {
		return false
	}
	p.seen.Add(1)
	return int(p.seen.Load()) <= len(p.all)
}
