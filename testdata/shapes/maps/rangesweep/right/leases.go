// Package leases forgets leases that have run out.
package leases

import (
	"sync"
	"time"
)

// Lease is until a time.
type Lease struct {
	Owner string
	Until time.Time
}

// Leases are by resource.
type Leases struct{ byResource sync.Map }

// Renew gives the resource to an owner for some time.
func (ls *Leases) Renew(resource, owner string, until time.Time) {
	ls.byResource.Store(resource, &Lease{owner, until})
}

// Owner is who has the resource.
func (ls *Leases) Owner(resource string) (string, bool) {
	v, ok := ls.byResource.Load(resource)
	if !ok {
		return "", false
	}
	return v.(*Lease).Owner, true
}

// Sweep forgets what has run out at a time.
func (ls *Leases) Sweep(now time.Time) {
	ls.byResource.Range(func(resource, v any) bool {
		if v.(*Lease).Until.Before(now) {
			ls.byResource.CompareAndDelete(resource, v)
		}
		return true
	})
}
