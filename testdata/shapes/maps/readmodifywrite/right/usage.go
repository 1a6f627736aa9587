// Package usage adds up what tenants use.
package usage

import "sync"

// Table has the bytes by tenant.
type Table struct{ bytes sync.Map }

// Add adds to what a tenant has used.
func (t *Table) Add(tenant string, n int64) {
	for {
		v, _ := t.bytes.LoadOrStore(tenant, int64(0))
		if t.bytes.CompareAndSwap(tenant, v, v.(int64)+n) {
			return
		}
	}
}

// Used is what a tenant has used.
func (t *Table) Used(tenant string) int64 {
	v, _ := t.bytes.Load(tenant)
	used, _ := v.(int64)
	return used
}
