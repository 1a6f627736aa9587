package harm

import (
	"net/http"
	"sync"
)

// Dirs remembers which directories are there, and apart from that what is in some.
type Dirs struct {
	mu, also sync.Mutex
	made     map[string]bool
	lists    map[string][]string
	read     func(string) []string
}

func NewDirs(read func(string) []string) *Dirs {
	return &Dirs{made: map[string]bool{}, lists: map[string][]string{}, read: read}
}

func (d *Dirs) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	d.MediumMake(r.Host)
	d.List(r.Method)
	d.Remove(r.URL.Path)
}

// MediumMake forgets what was in a directory before it was there.
func (d *Dirs) MediumMake(name string) {
	if !d.mark(name) {
		d.forget(name)
	}
}

func (d *Dirs) mark(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.made[name]
	d.made[name] = true
	return was
}

func (d *Dirs) forget(name string) {
	d.also.Lock()
	defer d.also.Unlock()
	delete(d.lists, name)
}

func (d *Dirs) Remove(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.made, name)
}

func (d *Dirs) list(name string) []string {
	d.also.Lock()
	defer d.also.Unlock()
	return d.lists[name]
}

func (d *Dirs) List(name string) []string {
	if l := d.list(name); l != nil {
		return l
	}
	l := d.read(name)
	d.also.Lock()
	defer d.also.Unlock()
	d.lists[name] = l
	return l
}

// Shelves has an entry in both for each that was put up.
type Shelves struct {
	mu, also sync.Mutex
	made     map[string]bool
	lists    map[string][]string
	read     func(string) []string
}

func NewShelves(read func(string) []string) *Shelves {
	return &Shelves{made: map[string]bool{}, lists: map[string][]string{}, read: read}
}

func (d *Shelves) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	d.HighMake(r.Host)
	d.List(r.Method)
	d.Remove(r.URL.Path)
}

// HighMake takes the list of a shelf that was put up meanwhile away.
func (d *Shelves) HighMake(name string) {
	if !d.mark(name) {
		d.forget(name)
	}
}

func (d *Shelves) mark(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.made[name]
	d.made[name] = true
	return was
}

func (d *Shelves) forget(name string) {
	d.also.Lock()
	defer d.also.Unlock()
	delete(d.lists, name)
}

func (d *Shelves) Remove(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.made, name)
}

func (d *Shelves) list(name string) []string {
	d.also.Lock()
	defer d.also.Unlock()
	return d.lists[name]
}

func (d *Shelves) List(name string) []string {
	if l := d.list(name); l != nil {
		return l
	}
	l := d.read(name)
	d.also.Lock()
	defer d.also.Unlock()
	d.lists[name] = l
	return l
}

// Put puts up a shelf with what is on it.
func (d *Shelves) Put(name string, list []string) {
	d.mu.Lock()
	d.made[name] = true
	d.mu.Unlock()
	d.also.Lock()
	d.lists[name] = list
	d.also.Unlock()
}
