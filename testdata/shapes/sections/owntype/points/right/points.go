// Package points keeps how many points customers have.
package points

import "github.com/mapatom/mapatom/testdata/shapes/sections/owntype/points/shards"

// Balance is what one customer has.
type Balance struct{ Earned, Spent int }

// Ledger has those of all.
type Ledger struct {
	balances *shards.Map[Balance]
}

// New returns an empty ledger.
func New() *Ledger { return &Ledger{shards.New[Balance]()} }

// Earn adds points.
func (l *Ledger) Earn(customer string, n int) {
	l.balances.Change(customer, func(b Balance) Balance {
		b.Earned += n
		return b
	})
}

// Left is how many points there are to spend.
func (l *Ledger) Left(customer string) int {
	b, _ := l.balances.Get(customer)
	return b.Earned - b.Spent
}
