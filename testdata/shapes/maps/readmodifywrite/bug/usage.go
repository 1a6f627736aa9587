// Package usage adds up what tenants use.
package usage

import "sync"

// Table has the bytes by tenant.
type Table struct{ bytes sync.Map }

// Add adds to what a tenant has used.
func (t *Table) Add(tenant string, n int64) {
	v, _ := t.bytes.Load(tenant)
	used, _ := v.(int64)
	t.bytes.Store(tenant, used+n)
}

// Used is what a tenant has used.
func (t *Table) Used(tenant string) int64 {
	v, _ := t.bytes.Load(tenant)
	used, _ := v.(int64)
	return used
}
