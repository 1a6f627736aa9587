package harm

import (
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"
)

// Directory asks for what it does not know yet.
type Directory struct {
	id      atomic.Pointer[string]
	room    atomic.Pointer[room]
	fields  sync.Map
	done    sync.Map
	entries sync.Map

	query    func(func(string)) error
	validate func(reflect.Type) error
	migrate  func(string) error
}

func (d *Directory) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	d.MediumID()
	d.HighRoom()
	d.MediumFields(reflect.TypeOf(r))
	d.HighMigrate(r.Host)
	d.MediumTrack(r.Host, r.ContentLength > 0)
	d.HighTrack(r.Host, r.ContentLength > 0)
}

// MediumID is asked for twice, and is a text.
func (d *Directory) MediumID() (string, error) {
	if d.id.Load() == nil {
		var id string
		if err := d.query(func(name string) { id = name }); err != nil {
			return "", err
		}
		d.id.Store(&id)
		return id, nil
	}
	return *d.id.Load(), nil
}

// HighRoom makes two rooms, of which one loses who has come.
func (d *Directory) HighRoom() *room {
	if d.room.Load() == nil {
		var r room
		if err := d.query(func(name string) { r.name = name }); err != nil {
			return nil
		}
		d.room.Store(&r)
		return &r
	}
	return d.room.Load()
}

type room struct {
	name  string
	mu    sync.Mutex
	guest []string
}

// Come adds a guest.
func (r *room) Come(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.guest = append(r.guest, name)
}

type answer struct {
	name string
	err  error
}

// MediumFields remembers what a check says, also where it says no.
func (d *Directory) MediumFields(t reflect.Type) (string, error) {
	var a answer
	if x, ok := d.fields.Load(t); ok {
		a = x.(answer)
	} else {
		if err := d.validate(t); err != nil {
			a = answer{"", err}
		} else {
			a = answer{t.Name(), nil}
		}
		d.fields.Store(t, a)
	}
	return a.name, a.err
}

// HighMigrate does twice what is to be done once.
func (d *Directory) HighMigrate(host string) error {
	if _, ok := d.done.Load(host); ok {
		return nil
	}
	if err := d.migrate(host); err != nil {
		return err
	}
	d.done.Store(host, true)
	return nil
}

type entry struct {
	max  bool
	seen atomic.Int64
}

// MediumTrack looks twice, and takes the entry that won.
func (d *Directory) MediumTrack(host string, max bool) int64 {
	if e, ok := d.entries.Load(host); ok && e.(*entry).max == max {
		return e.(*entry).seen.Load()
	}
	e, _ := d.entries.LoadOrStore(host, &entry{max: max})
	return e.(*entry).seen.Add(1)
}

// HighTrack counts in its own entry, whichever won.
func (d *Directory) HighTrack(host string, max bool) *entry {
	if e, ok := d.entries.Load(host); ok {
		return e.(*entry)
	}
	own := &entry{max: max}
	d.entries.LoadOrStore(host, own)
	own.seen.Add(1)
	return own
}

// Dialer has one client at a time.
type Dialer struct {
	mu     sync.Mutex
	client *client
	name   string
}

type client struct{ addr string }

func (d *Dialer) current() *client {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.client
}

func (d *Dialer) become(c *client) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.client = c
}

// MediumDial gives the client that there is in the end.
func (d *Dialer) MediumDial(addr string) *client {
	if c := d.current(); c != nil {
		return c
	}
	d.become(&client{addr})
	return d.current()
}

func (d *Dialer) rename(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.name = name
}

func (d *Dialer) named() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.name
}

// HighRename gives two callers the same old name.
func (d *Dialer) HighRename(name string) string {
	old := d.named()
	d.rename(name)
	return old
}
