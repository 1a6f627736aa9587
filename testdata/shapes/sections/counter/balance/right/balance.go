// Package balance keeps an amount of money.
package balance

import (
	"errors"
	"sync"
)

// ErrFunds says that there is not enough.
var ErrFunds = errors.New("not enough funds")

// Account has a balance that is never negative.
type Account struct {
	mu    sync.Mutex
	cents int64
}

// Withdraw takes money out.
func (a *Account) Withdraw(cents int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cents < cents {
		return ErrFunds
	}
	a.cents -= cents
	return nil
}

// Deposit puts money in.
func (a *Account) Deposit(cents int64) {
	a.mu.Lock()
	a.cents += cents
	a.mu.Unlock()
}
