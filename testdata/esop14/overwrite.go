package esop14

import (
	"fmt"
	"strings"
	"sync"
)

// The rows of this file load, create and Store: they overwrite what another
// goroutine inserted in between.

// Annotations keeps what is known of each class: string -> *Info.
type Annotations struct{ infos sync.Map }

// N03 falls through to one return. Expected: violation.
func (a *Annotations) N03(class string) *Info {
	v, ok := a.infos.Load(class)
	if !ok {
		v = newInfo(class)
		a.infos.Store(class, v)
	}
	return v.(*Info)
}

// Serializer keeps one converter per type of its input.
type Serializer struct{ converters sync.Map } // string -> *Converter

// N17 derives the key from its input and creates by a call that may fail
// before it stores. Expected: violation.
func (s *Serializer) N17(input string) (*Converter, error) {
	typeName, _, _ := strings.Cut(input, ":")
	v, ok := s.converters.Load(typeName)
	if !ok {
		conv, err := parseConverter(typeName)
		if err != nil {
			return nil, fmt.Errorf("serialize: %w", err)
		}
		s.converters.Store(typeName, conv)
		return conv, nil
	}
	return v.(*Converter), nil
}

// CallContext is the state of one thread of a remote client.
type CallContext struct{ thread int }

// Endpoint serves one remote client.
type Endpoint struct{ contexts sync.Map } // int -> *CallContext

// N19 has an integer key. Expected: violation.
func (e *Endpoint) N19(thread int) *CallContext {
	v, ok := e.contexts.Load(thread)
	if !ok {
		fresh := &CallContext{thread: thread}
		e.contexts.Store(thread, fresh)
		return fresh
	}
	return v.(*CallContext)
}

// contextKey is a composite key, equal by content.
type contextKey struct{ class, media string }

// Context is a set of bindings.
type Context struct {
	key     contextKey
	mapping map[string]string
}

func newContext(class, media string) (*Context, error) {
	if class == "" {
		return nil, fmt.Errorf("no class for %q", media)
	}
	return &Context{key: contextKey{class, media}}, nil
}

// ContextFinder keeps the bindings in use, in three caches.
type ContextFinder struct {
	byKey   sync.Map // contextKey -> *Context
	plain   sync.Map // string -> *Context
	variant sync.Map // string -> *Context
}

// N24 has a composite key, returns early and may fail to create.
// Expected: violation.
func (f *ContextFinder) N24(class, media string) (*Context, error) {
	key := contextKey{class: class, media: media}
	if v, ok := f.byKey.Load(key); ok {
		return v.(*Context), nil
	}
	fresh, err := newContext(class, media)
	if err != nil {
		return nil, err
	}
	f.byKey.Store(key, fresh)
	return fresh, nil
}

// N25 is the branch for classes without a mapping. Expected: violation.
func (f *ContextFinder) N25(class string) *Context {
	if v, ok := f.plain.Load(class); ok {
		return v.(*Context)
	}
	fresh := &Context{key: contextKey{class: class}}
	f.plain.Store(class, fresh)
	return fresh
}

// N26 is the branch with a mapping, which may be nil, on another cache.
// Expected: violation.
func (f *ContextFinder) N26(class string, mapping map[string]string) *Context {
	if v, ok := f.variant.Load(class); ok {
		return v.(*Context)
	}
	fresh := &Context{key: contextKey{class: class}, mapping: mapping}
	f.variant.Store(class, fresh)
	return fresh
}

var managers sync.Map // string -> *Scope

// N27 is the plain form on a static map. Expected: violation.
func N27(class string) *Scope {
	v, ok := managers.Load(class)
	if !ok {
		v = newScope(class)
		managers.Store(class, v)
	}
	return v.(*Scope)
}
