// Package keys proves when two calls are on the same key. In the positives the
// keys are two different expressions with the same value: loads of one field,
// the same conversion or pure call, structs with the same fields. In the
// negatives they are not: another key, a variable or a field changed in
// between, an argument that merely might be equal.
package keys

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

type session struct {
	mu   sync.Mutex
	hits int
}

type request struct {
	id     string
	tenant int
	user   *user
}

type user struct{ name string }

type userID string

type pairKey struct {
	tenant int
	id     string
}

// Map has a second writer, so that a Store over a missed entry loses it.
type Map struct {
	m      sync.Map
	prefix string
}

func (r *Map) Put(key any, s *session) { r.m.Store(key, s) }

func (r *Map) FieldLoads(q *request) {
	if _, ok := r.m.Load(q.id); !ok {
		r.m.Store(q.id, &session{}) // want "lost-update"
	}
}

func (r *Map) NestedFieldLoads(q *request) {
	if _, ok := r.m.Load(q.user.name); !ok {
		r.m.Store(q.user.name, &session{}) // want "lost-update"
	}
}

func (r *Map) SameConversion(id []byte) {
	if _, ok := r.m.Load(string(id)); !ok {
		r.m.Store(string(id), &session{}) // want "lost-update"
	}
}

func (r *Map) NamedType(name string) {
	if _, ok := r.m.Load(userID(name)); !ok {
		r.m.Store(userID(name), &session{}) // want "lost-update"
	}
}

func (r *Map) BoxedOnce(id string) {
	var key any = id
	if _, ok := r.m.Load(key); !ok {
		r.m.Store(id, &session{}) // want "lost-update"
	}
}

func (r *Map) StructKeys(tenant int, id string) {
	if _, ok := r.m.Load(pairKey{tenant, id}); !ok {
		r.m.Store(pairKey{tenant: tenant, id: id}, &session{}) // want "lost-update"
	}
}

func (r *Map) StructVariable(q *request) {
	key := pairKey{q.tenant, q.id}
	if _, ok := r.m.Load(key); !ok {
		r.m.Store(key, &session{}) // want "lost-update"
	}
}

func (r *Map) ArrayKey(hi, lo uint64) {
	if _, ok := r.m.Load([2]uint64{hi, lo}); !ok {
		r.m.Store([2]uint64{hi, lo}, &session{}) // want "lost-update"
	}
}

func (r *Map) PureCalls(id string) {
	if _, ok := r.m.Load(strings.ToLower(id)); !ok {
		r.m.Store(strings.ToLower(id), &session{}) // want "lost-update"
	}
}

func (r *Map) Concatenated(id string) {
	if _, ok := r.m.Load(r.prefix + id); !ok {
		r.m.Store(r.prefix+id, &session{}) // want "lost-update"
	}
}

func (r *Map) Formatted(q *request) {
	if _, ok := r.m.Load(fmt.Sprintf("%d/%s", q.tenant, q.id)); !ok {
		r.m.Store(fmt.Sprintf("%d/%s", q.tenant, q.id), &session{}) // want "lost-update"
	}
}

// keyOf is pure, though the analyzer has to look inside to know.
func keyOf(q *request) string { return strconv.Itoa(q.tenant) + "/" + q.id }

func (r *Map) KeyHelper(q *request) {
	if _, ok := r.m.Load(keyOf(q)); !ok {
		r.m.Store(keyOf(q), &session{}) // want "lost-update"
	}
}

func (r *Map) ChosenKey(id string, upper bool) {
	key := id
	if upper {
		key = strings.ToUpper(id)
	}
	if _, ok := r.m.Load(key); !ok {
		r.m.Store(key, &session{}) // want "lost-update"
	}
}

func (r *Map) Constant() {
	const key = "main"
	if _, ok := r.m.Load(key); !ok {
		r.m.Store("main", &session{}) // want "lost-update"
	}
}

// OtherFieldWritten writes another field: the key stays.
func (r *Map) OtherFieldWritten(q *request) {
	_, ok := r.m.Load(q.id)
	q.tenant++
	if !ok {
		r.m.Store(q.id, &session{}) // want "lost-update"
	}
}
