// Package paths proves which calls belong together. Different keys on different
// paths are one step each. Calls that know nothing of one another are none.
package paths

import "sync"

type renderer struct {
	mu   sync.Mutex
	lang string
}

const fallback = "default"

// Renderers can lose entries.
type Renderers struct{ m sync.Map }

func (r *Renderers) Drop(lang string) { r.m.Delete(lang) }

// Get uses another key where the caller gave none.
func (r *Renderers) Get(lang string) *renderer {
	if lang == "" {
		v, _ := r.m.LoadOrStore(fallback, &renderer{lang: fallback})
		return v.(*renderer)
	}
	if _, ok := r.m.Load(lang); !ok {
		r.m.LoadOrStore(lang, &renderer{lang: lang})
	}
	v, _ := r.m.Load(lang) // want "crash"
	return v.(*renderer)
}

func (r *Renderers) GetOnce(lang string) *renderer {
	if lang == "" {
		v, _ := r.m.LoadOrStore(fallback, &renderer{lang: fallback})
		return v.(*renderer)
	}
	if v, ok := r.m.Load(lang); ok {
		return v.(*renderer)
	}
	v, _ := r.m.LoadOrStore(lang, &renderer{lang: lang})
	return v.(*renderer)
}

// GetChosen decides on the key first.
func (r *Renderers) GetChosen(lang string) *renderer {
	key := lang
	if key == "" {
		key = fallback
	}
	if v, ok := r.m.Load(key); ok {
		return v.(*renderer)
	}
	v, _ := r.m.LoadOrStore(key, &renderer{lang: key})
	return v.(*renderer)
}

// Fallback looks under a second key if there is nothing under the first.
func (r *Renderers) Fallback(lang string) any {
	if v, ok := r.m.Load(lang); ok {
		return v
	}
	v, _ := r.m.Load(fallback)
	return v
}

// Replace removes and stores without asking: each call stands for itself.
func (r *Renderers) Replace(lang string, next *renderer) {
	r.m.Delete(lang)
	r.m.Store(lang, next)
}

// Rename is about two entries, and asks for nothing in the second.
func (r *Renderers) Rename(from, to string) {
	if v, ok := r.m.LoadAndDelete(from); ok {
		r.m.Store(to, v)
	}
}

// Two stores do not depend on each other.
func (r *Renderers) Two(lang string, a, b *renderer) {
	r.m.Store(lang, a)
	r.m.Store(fallback, b)
}

// LookAndLog reads one entry and writes another.
func (r *Renderers) LookAndLog(lang string, seen *renderer, log func(any)) {
	v, _ := r.m.Load(lang)
	log(v)
	r.m.Store("seen", seen)
}

// Flags are two cells, each with its own step.
type Flags struct{ a, b sync.Map }

func (f *Flags) Both(key string) (first bool) {
	_, loaded := f.a.LoadOrStore(key, true)
	if loaded {
		return false
	}
	f.b.Store(key, true)
	return true
}

// OneOfTwo errs on the second map only.
func (f *Flags) OneOfTwo(key string) (first bool) {
	f.a.Store(key, true)
	if _, ok := f.b.Load(key); ok {
		return false
	}
	f.b.Store(key, true) // want "lost-update"
	return true
}
