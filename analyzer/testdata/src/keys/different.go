package keys

import "strings"

// Copy may be called with equal keys, but it is not about one entry.
func (r *Map) Copy(from, to string) {
	if v, ok := r.m.Load(from); ok {
		r.m.Store(to, v.(*session))
	}
}

func (r *Map) Constants() {
	if _, ok := r.m.Load("main"); !ok {
		r.m.Store("spare", &session{})
	}
}

func (r *Map) OtherField(q *request) {
	if _, ok := r.m.Load(q.id); !ok {
		r.m.Store(q.user.name, &session{})
	}
}

func (r *Map) Reassigned(id, next string) {
	key := id
	_, ok := r.m.Load(key)
	key = next
	if !ok {
		r.m.Store(key, &session{})
	}
}

// FieldWritten changes the field between the two loads of it.
func (r *Map) FieldWritten(q *request, next string) {
	_, ok := r.m.Load(q.id)
	q.id = next
	if !ok {
		r.m.Store(q.id, &session{})
	}
}

func (r *Map) OtherConversion(id string) {
	if _, ok := r.m.Load(strings.ToLower(id)); !ok {
		r.m.Store(strings.ToUpper(id), &session{})
	}
}

func (r *Map) OtherStruct(tenant int, id string) {
	if _, ok := r.m.Load(pairKey{tenant, id}); !ok {
		r.m.Store(pairKey{tenant + 1, id}, &session{})
	}
}

func (r *Map) OtherRequest(a, b *request) {
	if _, ok := r.m.Load(a.id); !ok {
		r.m.Store(b.id, &session{})
	}
}

// Renamed computes the second key from what it found under the first.
func (r *Map) Renamed(id string) {
	next := id
	for {
		v, ok := r.m.Load(next)
		if !ok {
			return
		}
		s := v.(*session)
		s.mu.Lock()
		s.hits++
		s.mu.Unlock()
		next += "+"
	}
}
