// Package tenants opens a database for each tenant.
package tenants

import "sync"

// Map is a sync.Map with types.
type Map[K comparable, V any] struct{ m sync.Map }

func (m *Map[K, V]) Get(k K) (V, bool) {
	v, ok := m.m.Load(k)
	if !ok {
		var none V
		return none, false
	}
	return v.(V), true
}

func (m *Map[K, V]) Set(k K, v V) { m.m.Store(k, v) }

func (m *Map[K, V]) GetOrSet(k K, v V) (V, bool) {
	have, loaded := m.m.LoadOrStore(k, v)
	return have.(V), loaded
}

// DB is an open database.
type DB struct {
	tenant string
	mu     sync.Mutex
	open   int
}

func (db *DB) acquire() {
	db.mu.Lock()
	db.open++
	db.mu.Unlock()
}

// Pool has the databases that are open.
type Pool struct{ dbs Map[string, *DB] }

// Acquire is the tenant's database.
func (p *Pool) Acquire(tenant string) *DB {
	db, ok := p.dbs.Get(tenant)
	if !ok {
		db = &DB{tenant: tenant}
		db, _ = p.dbs.GetOrSet(tenant, db)
	}
	db.acquire()
	return db
}
