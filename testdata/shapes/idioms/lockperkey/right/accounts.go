// Package accounts has a lock for each account.
package accounts

import "sync"

// Bank moves money.
type Bank struct {
	locks    sync.Map
	balances sync.Map
}

func (b *Bank) lock(account string) *sync.Mutex {
	m, _ := b.locks.LoadOrStore(account, new(sync.Mutex))
	return m.(*sync.Mutex)
}

// Deposit adds to an account.
func (b *Bank) Deposit(account string, cents int64) {
	m := b.lock(account)
	m.Lock()
	defer m.Unlock()
	v, _ := b.balances.Load(account)
	old, _ := v.(int64)
	b.balances.Store(account, old+cents)
}
