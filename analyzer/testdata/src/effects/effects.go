// Package effects proves that what is done between a check and the write that it guards
// is part of the outcome: two callers must not both do it.
package effects

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/rpc"
	"reflect"
	"sync"
	"sync/atomic"
)

// Meter counts, elsewhere.
type Meter interface{ Add(n int) }

type Tracker struct {
	tracked atomic.Bool
	meter   Meter
}

func (t *Tracker) Track(n int) {
	if !t.tracked.Load() {
		t.meter.Add(n)
		t.tracked.Store(true) // want "non-atomic|lost-update"
	}
}

// TrackRight decides before it counts.
//
//mapatom:atomic
func (t *Tracker) TrackRight(n int) {
	if t.tracked.CompareAndSwap(false, true) {
		t.meter.Add(n)
	}
}

// DB is elsewhere.
type DB interface {
	Exec(statement string) error
	Version() int
	Ready() bool
}

type Schema struct {
	ready atomic.Bool
	db    DB
}

// Migrate is told whether that has failed, which is no reason to do it twice.
func (s *Schema) Migrate() error {
	if !s.ready.Load() {
		if err := s.db.Exec("create table t"); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		s.ready.Store(true) // want "non-atomic|lost-update"
	}
	return nil
}

// Agents are registered elsewhere.
type Agents struct {
	known  atomic.Bool
	id     atomic.Value
	server *rpc.Client
	rows   *sql.DB
	config []byte
}

// Register is answered into a variable of its own, and has registered all the same.
func (a *Agents) Register(host string) error {
	if a.known.Load() {
		return nil
	}
	var id string
	if err := a.server.Call("Agents.Register", host, &id); err != nil {
		return err
	}
	a.id.Store(id)
	a.known.Store(true) // want "non-atomic|lost-update"
	return nil
}

// Read only asks: what it calls is done to the variable.
//
//mapatom:atomic
func (a *Agents) Read() error {
	if a.known.Load() {
		return nil
	}
	var id string
	if err := json.Unmarshal(a.config, &id); err != nil {
		return err
	}
	a.known.Store(true)
	return nil
}

// Look asks for what it is done to.
//
//mapatom:atomic
func (a *Agents) Look(host string) error {
	if a.known.Load() {
		return nil
	}
	var id string
	if err := a.rows.QueryRow("select id from agents where host = $1", host).Scan(&id); err != nil {
		return err
	}
	a.known.Store(true)
	return nil
}

// Seed is another one, whose error is not even returned.
func (s *Schema) Seed() {
	if !s.ready.Load() && s.exec("insert into t") == nil {
		s.ready.Store(true) // want "non-atomic|lost-update"
	}
}

func (s *Schema) exec(statement string) error { return s.db.Exec(statement) }

// Schema2 asks something before it says that it is ready.
type Schema2 struct {
	ready atomic.Bool
	db    DB
}

// Wait may ask twice.
//
//mapatom:atomic
func (s *Schema2) Wait() bool {
	if !s.ready.Load() {
		if !s.db.Ready() || s.db.Version() < 3 {
			return false
		}
		s.ready.Store(true)
	}
	return true
}

// Schema3 claims it first.
type Schema3 struct {
	ready atomic.Bool
	db    DB
}

//mapatom:atomic
func (s *Schema3) Migrate() error {
	if s.ready.CompareAndSwap(false, true) {
		return s.db.Exec("create table t")
	}
	return nil
}

// Quiet only says what it does.
type Quiet struct{ tracked atomic.Bool }

//mapatom:atomic
func (q *Quiet) Track() {
	if !q.tracked.Load() {
		log.Println("tracked")
		q.tracked.Store(true)
	}
}

// Names fills a new object, of which one is kept.
type Names struct{ m sync.Map }

type name struct {
	mu   sync.Mutex
	text string
}

//mapatom:atomic
func (n *Names) Get(k string, fill func(*name)) *name {
	if v, ok := n.m.Load(k); ok {
		return v.(*name)
	}
	v := &name{}
	fill(v)
	w, _ := n.m.LoadOrStore(k, v)
	return w.(*name)
}

// Types describes each type once, and those of its fields. What a loop does to the description is
// not done to the type, nor to what somebody else has put there.
type Types struct{ m sync.Map }

type description struct {
	names  []string
	places map[string]int
	inner  []*description
}

func (t *Types) Describe(typ reflect.Type) (*description, error) {
	if v, ok := t.m.Load(typ); ok {
		return v.(*description), nil
	}
	d, err := t.describe(typ)
	if err != nil {
		return nil, err
	}
	if v, loaded := t.m.LoadOrStore(typ, d); loaded {
		d = v.(*description)
	}
	return d, nil
}

func (t *Types) describe(typ reflect.Type) (*description, error) {
	d := &description{places: map[string]int{}}
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Type.Kind() == reflect.Struct {
			inner, err := t.Describe(f.Type)
			if err != nil {
				return nil, err
			}
			d.inner = append(d.inner, inner)
		}
		d.names = append(d.names, f.Name)
		d.places[f.Name] = i
	}
	return d, nil
}

var digest func(*Page) [4]byte

type Page struct{ words [16]byte }

type Slot struct {
	page  atomic.Pointer[Page]
	known map[[4]byte]*Page
}

// Keep puts a page in once, and it is no nil then.
//
//mapatom:atomic
func (s *Slot) Keep(p *Page) {
	if p == nil || s.page.Load() != nil {
		return
	}
	if !s.page.CompareAndSwap(nil, p) {
		return
	}
	s.known[digest(p)] = p
}

type Slot2 struct {
	page  atomic.Pointer[Page]
	known map[[4]byte]*Page
}

// Keep may replace what another call has put in meanwhile.
//
//mapatom:atomic
func (s *Slot2) Keep(p *Page) {
	if p == nil || s.page.Load() != nil {
		return
	}
	s.page.Store(p) // want "lost-update"
	s.known[digest(p)] = p
}
