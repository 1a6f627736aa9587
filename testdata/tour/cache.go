package tour

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ErrExists is returned for names that are taken.
var ErrExists = errors.New("tour: name is taken")

// Page is a page of the site, filled in as its parts arrive.
type Page struct {
	title string

	mu    sync.Mutex
	parts []string
}

// newPage returns a page without parts.
//
//tour:ok
func newPage(title string) *Page { return &Page{title: title} }

// Append adds a part to the page.
//
//tour:ok
func (p *Page) Append(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parts = append(p.parts, part)
}

// Cache keeps what is costly to make again.
type Cache struct {
	pages sync.Map // string -> *Page
	slugs sync.Map // string -> string
	warm  sync.Map // string -> struct{}, the pages that are being made

	sweeping atomic.Bool
	swept    atomic.Int64
}

// Page returns the page with the given title and makes one if there is none.
// The test of loaded is the wrong way round: a caller that lost the race keeps
// its own page, which nobody else will ever see.
//
//tour:bug duplicate-instance
func (c *Cache) Page(title string) *Page {
	if p, ok := c.pages.Load(title); ok {
		return p.(*Page)
	}
	page := newPage(title)
	if actual, loaded := c.pages.LoadOrStore(title, page); !loaded {
		return actual.(*Page)
	}
	return page
}

// Slug returns the form of a title that is used in links. Two goroutines may
// both compute it, but they store the same string.
//
//tour:ok
func (c *Cache) Slug(title string) string {
	if s, ok := c.slugs.Load(title); ok {
		return s.(string)
	}
	slug := strings.ToLower(strings.ReplaceAll(title, " ", "-"))
	c.slugs.Store(title, slug)
	return slug
}

// Warm calls render for the given title unless another goroutine is doing so at
// the moment. An entry in the map marks the work as in progress.
//
//tour:ok
func (c *Cache) Warm(title string, render func(title string)) bool {
	if _, busy := c.warm.LoadOrStore(title, struct{}{}); busy {
		return false
	}
	defer c.warm.Delete(title)
	render(title)
	return true
}

// Sweep runs one pass over the cache unless one is running already.
//
//tour:ok
func (c *Cache) Sweep(now time.Time) bool {
	if !c.sweeping.CompareAndSwap(false, true) {
		return false
	}
	defer c.sweeping.Store(false)
	c.swept.Store(now.UnixNano())
	return true
}

// Codecs are the codecs of the service by name. Other packages may use the map
// as well: whatever they do with it can happen at any time.
type Codecs struct {
	ByName sync.Map // string -> Codec
}

// Codec turns values into bytes.
type Codec interface {
	Encode(v any) ([]byte, error)
}

// Register adds a codec unless the name is taken. Of two codecs with the same
// name, both may be told that they were added.
//
//tour:bug lost-update
func (c *Codecs) Register(name string, codec Codec) error {
	if _, ok := c.ByName.Load(name); ok {
		return ErrExists
	}
	c.ByName.Store(name, codec)
	return nil
}

// RegisterOnce adds a codec unless the name is taken, and says so truthfully.
//
//tour:ok
func (c *Codecs) RegisterOnce(name string, codec Codec) error {
	if _, loaded := c.ByName.LoadOrStore(name, codec); loaded {
		return ErrExists
	}
	return nil
}
