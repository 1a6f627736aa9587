package identity

import "sync"

// Tenants has a map of sessions per tenant: string -> *sync.Map, and in there
// string -> *session.
type Tenants struct{ tenants sync.Map }

func (t *Tenants) Put(tenant string, sessions *sync.Map) { t.tenants.Store(tenant, sessions) }

// Tenant overwrites the map of another caller, with all that is in it.
func (t *Tenants) Tenant(tenant string) *sync.Map {
	v, ok := t.tenants.Load(tenant)
	if !ok {
		v = new(sync.Map)
		t.tenants.Store(tenant, v) // want "lost-update"
	}
	return v.(*sync.Map)
}

func (t *Tenants) TenantOnce(tenant string) *sync.Map {
	v, _ := t.tenants.LoadOrStore(tenant, new(sync.Map))
	return v.(*sync.Map)
}

// Inner loads the inner map once and errs in there.
func (t *Tenants) Inner(tenant, id string) *session {
	v, ok := t.tenants.Load(tenant)
	if !ok {
		return nil
	}
	sessions := v.(*sync.Map)
	s, ok := sessions.Load(id)
	if !ok {
		s = &session{}
		sessions.Store(id, s) // want "lost-update"
	}
	return s.(*session)
}

// InnerOnce leaves the inner map to decide.
func (t *Tenants) InnerOnce(tenant, id string) *session {
	v, ok := t.tenants.Load(tenant)
	if !ok {
		return nil
	}
	s, _ := v.(*sync.Map).LoadOrStore(id, &session{})
	return s.(*session)
}

// Two has two maps, so that a call on one says nothing about the other.
type Two struct{ old, new sync.Map }

func (t *Two) Put(id string, s *session) { t.new.Store(id, s) }

// Promote moves nothing: it copies what the first map has to the second.
func (t *Two) Promote(id string) {
	if v, ok := t.old.Load(id); ok {
		t.new.Store(id, v)
	}
}

func (t *Two) InNeither(id string) bool {
	if _, ok := t.old.Load(id); ok {
		return false
	}
	_, ok := t.new.Load(id)
	return !ok
}

// Between copies from one object to another.
func Between(from, to *Two, id string) {
	if v, ok := from.new.Load(id); ok {
		to.new.Store(id, v)
	}
}

// Turned points to another map by the time of the second call.
type Turned struct{ current, next *sync.Map }

func (t *Turned) Put(id string, s *session) { t.current.Store(id, s) }

func (t *Turned) Turn(id string) {
	m := t.current
	_, ok := m.Load(id)
	m = t.next
	if !ok {
		m.Store(id, &session{})
	}
}

// Distinct uses a map of its own, which no other goroutine can reach.
func Distinct(ids []string) []string {
	var seen sync.Map
	var out []string
	for _, id := range ids {
		if _, ok := seen.Load(id); !ok {
			seen.Store(id, true)
			out = append(out, id)
		}
	}
	return out
}
