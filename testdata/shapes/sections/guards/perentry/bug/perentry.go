// Package perentry has a lock in each entry.
package perentry

import "sync"

type account struct {
	sync.Mutex
	points int
}

// Ledger has accounts, which are all made at the start.
type Ledger struct{ accounts map[string]*account }

// New has an account for each name.
func New(names []string) *Ledger {
	l := &Ledger{accounts: map[string]*account{}}
	for _, name := range names {
		l.accounts[name] = &account{}
	}
	return l
}

// Redeem takes points if there are enough.
func (l *Ledger) Redeem(name string, points int) bool {
	a, ok := l.accounts[name]
	if !ok {
		return false
	}
	a.Lock()
	enough := a.points >= points
	a.Unlock()
	if !enough {
		return false
	}
	a.Lock()
	a.points -= points
	a.Unlock()
	return true
}

// Earn adds points.
func (l *Ledger) Earn(name string, points int) {
	if a, ok := l.accounts[name]; ok {
		a.Lock()
		a.points += points
		a.Unlock()
	}
}
