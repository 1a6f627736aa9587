// Package accounts moves money between accounts.
package accounts

import (
	"errors"
	"sync"
)

// ErrFunds is returned if there is too little.
var ErrFunds = errors.New("insufficient funds")

type account struct {
	mu      sync.Mutex
	balance int64
}

// Bank has accounts.
type Bank struct {
	mu       sync.RWMutex
	accounts map[string]*account
}

// NewBank returns a bank without accounts.
func NewBank() *Bank { return &Bank{accounts: map[string]*account{}} }

func (b *Bank) account(id string) *account {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, ok := b.accounts[id]
	if !ok {
		a = new(account)
		b.accounts[id] = a
	}
	return a
}

// Deposit adds money.
func (b *Bank) Deposit(id string, n int64) {
	a := b.account(id)
	a.mu.Lock()
	a.balance += n
	a.mu.Unlock()
}

// Withdraw takes money.
func (b *Bank) Withdraw(id string, n int64) error {
	a := b.account(id)
	a.mu.Lock()
	enough := a.balance >= n
	a.mu.Unlock()
	if !enough {
		return ErrFunds
	}
	a.mu.Lock()
	a.balance -= n
	a.mu.Unlock()
	return nil
}
