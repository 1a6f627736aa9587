package control

import "sync"

// Deferred removes what it used when it returns. By then the entry may be
// another one.
type Deferred struct{ m sync.Map }

func (d *Deferred) Put(id string, s *session) { d.m.Store(id, s) }

func (d *Deferred) Use(id string) {
	v, ok := d.m.Load(id)
	if !ok {
		return
	}
	defer d.m.Delete(id) // want "stale-delete"
	v.(*session).hit()
}

// UseLiteral does so in a function literal.
func (d *Deferred) UseLiteral(id string) {
	v, ok := d.m.Load(id)
	if !ok {
		return
	}
	defer func() {
		v.(*session).close()
		d.m.Delete(id) // want "stale-delete"
	}()
	v.(*session).hit()
}

// UseTaken removes the entry first; what is deferred is no call on the map.
func (d *Deferred) UseTaken(id string) {
	v, ok := d.m.LoadAndDelete(id)
	if !ok {
		return
	}
	defer v.(*session).close()
	v.(*session).hit()
}

// UseLogged defers something else.
func (d *Deferred) UseLogged(id string, done func()) {
	defer done()
	if v, ok := d.m.Load(id); ok {
		v.(*session).hit()
	}
}
