package esop14

import "sync"

// The rows of this file make sure that there is an entry and then read it
// with a call of its own: by then it may be another one, or gone.

// Changes are the changes to one view.
type Changes struct{ view string }

// noChanges is what a view without changes shows.
var noChanges = &Changes{}

// ChangeManager keeps the changes of each view.
type ChangeManager struct{ views sync.Map } // string -> *Changes

// N06 checks first and creates only if asked to. Expected: violation.
func (m *ChangeManager) N06(view string, create bool) *Changes {
	if _, ok := m.views.Load(view); !ok {
		if !create {
			return noChanges
		}
		m.views.LoadOrStore(view, &Changes{view: view})
	}
	v, _ := m.views.Load(view)
	changes, _ := v.(*Changes)
	return changes
}

var bundles sync.Map // string -> *Resources

// N14 computes the key and passes the new value without naming it.
// Expected: violation.
func N14(bundle, locale string) *Resources {
	key := bundle + "_" + locale
	if _, ok := bundles.Load(key); !ok {
		bundles.LoadOrStore(key, newResources(bundle, locale))
	}
	v, _ := bundles.Load(key)
	res, _ := v.(*Resources)
	return res
}

// Renderer shows values in one language.
type Renderer struct{ language string }

// defaultLanguage is the key of the renderer for callers without a language.
const defaultLanguage = "default"

var renderers sync.Map // string -> *Renderer

// N15 uses another key where the caller gave none. Expected: violation.
func N15(language string) *Renderer {
	if language == "" {
		v, _ := renderers.Load(defaultLanguage)
		r, _ := v.(*Renderer)
		return r
	}
	if _, ok := renderers.Load(language); !ok {
		renderers.LoadOrStore(language, &Renderer{language: language})
	}
	v, _ := renderers.Load(language)
	r, _ := v.(*Renderer)
	return r
}

// Sequence counts up.
type Sequence struct {
	mu   sync.Mutex
	next int
}

var sequences sync.Map // string -> *Sequence

// N18 does not check at all. Expected: violation.
func N18(name string) *Sequence {
	sequences.LoadOrStore(name, &Sequence{})
	v, _ := sequences.Load(name)
	seq, _ := v.(*Sequence)
	return seq
}

// SockPool is a pool of connections.
type SockPool struct {
	name string
	mu   sync.Mutex
	idle []int
}

var pools sync.Map // string -> *SockPool

// N22 names the new value. Expected: violation.
func N22(name string) *SockPool {
	if _, ok := pools.Load(name); !ok {
		pool := &SockPool{name: name}
		pools.LoadOrStore(name, pool)
	}
	v, _ := pools.Load(name)
	pool, _ := v.(*SockPool)
	return pool
}

// Label names a group of machines.
type Label struct{ name string }

// Labels keeps one label per name.
type Labels struct{ labels sync.Map } // string -> *Label

// N20 retries until it finds an entry, ignoring whether its own offer won. It
// looks safe, but another goroutine may see the label it inserted while it
// returns a different one. Expected: violation.
func (l *Labels) N20(name string) *Label {
	if name == "" {
		return nil
	}
	for {
		if v, ok := l.labels.Load(name); ok {
			return v.(*Label)
		}
		l.labels.LoadOrStore(name, &Label{name: name})
	}
}
