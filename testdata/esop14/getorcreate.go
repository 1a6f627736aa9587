package esop14

import (
	"io"
	"log"
	"reflect"
	"strings"
	"sync"
)

// The rows of this file load, create a value if there is none, offer it with
// LoadOrStore and keep the winner. They differ in data flow only.

// LockManager hands out one lock per name.
type LockManager struct{ locks sync.Map } // string -> *Lock

// V01 holds the new lock in the result first and corrects it if the offer
// lost. Expected: verified.
func (m *LockManager) V01(name string) *Lock {
	v, ok := m.locks.Load(name)
	if !ok {
		lock := newLock(name)
		v = lock
		if prev, loaded := m.locks.LoadOrStore(name, lock); loaded {
			v = prev
		}
	}
	return v.(*Lock)
}

var namespaces sync.Map // string -> *Scope

// V02 returns early on a hit and chooses the winner at the end. The new
// value is built from the key. Expected: verified.
func V02(name string) *Scope {
	if ns, ok := namespaces.Load(name); ok {
		return ns.(*Scope)
	}
	ns := newScope(name)
	if prev, loaded := namespaces.LoadOrStore(name, ns); loaded {
		return prev.(*Scope)
	}
	return ns
}

// Chat keeps the members of each channel: string -> *sync.Map.
type Chat struct{ members sync.Map }

// V03 creates a map as the value. Expected: verified.
func (c *Chat) V03(channel string) *sync.Map {
	v, ok := c.members.Load(channel)
	if !ok {
		fresh := new(sync.Map)
		v = fresh
		if prev, loaded := c.members.LoadOrStore(channel, fresh); loaded {
			v = prev
		}
	}
	return v.(*sync.Map)
}

// ContextScope keeps one registry per context.
type ContextScope struct{ registries sync.Map } // string -> *Scope

// V04 assigns the offer's result first and the new value if nothing was
// there. Expected: verified.
func (s *ContextScope) V04(context string) *Scope {
	v, ok := s.registries.Load(context)
	if !ok {
		fresh := newScope(context)
		prev, loaded := s.registries.LoadOrStore(context, fresh)
		v = prev
		if !loaded {
			v = fresh
		}
	}
	return v.(*Scope)
}

// CacheSource makes one cache per configured name.
type CacheSource struct{ caches sync.Map } // string -> *Scope

// CacheConfig is what a caller asks a cache for.
type CacheConfig struct{ name string }

func (s *CacheSource) newCache(name string) *Scope { return newScope(name) }

// V05 reads the key from its argument and creates the value by a method of
// the same object. Expected: verified.
func (s *CacheSource) V05(config *CacheConfig) *Scope {
	v, ok := s.caches.Load(config.name)
	if !ok {
		fresh := s.newCache(config.name)
		v = fresh
		if prev, loaded := s.caches.LoadOrStore(config.name, fresh); loaded {
			v = prev
		}
	}
	return v.(*Scope)
}

// Profiler counts calls per type.
type Profiler struct {
	stats    sync.Map // string -> *Stats
	counters sync.Map // string -> *Stats
}

// baseName is the part of a qualified name behind the last dot.
func baseName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// V06 builds the new value from a pure function of the key.
// Expected: verified.
func (p *Profiler) V06(typeName string) *Stats {
	v, ok := p.stats.Load(typeName)
	if !ok {
		v = newStats(baseName(typeName))
		if prev, loaded := p.stats.LoadOrStore(typeName, v); loaded {
			v = prev
		}
	}
	return v.(*Stats)
}

// ConverterFactory makes one converter per type name.
type ConverterFactory struct{ converters sync.Map } // string -> *Converter

// V07 creates by a call that may fail; a failing run has only read.
// Expected: verified.
func (f *ConverterFactory) V07(typeName string) (*Converter, error) {
	v, ok := f.converters.Load(typeName)
	if !ok {
		fresh, err := parseConverter(typeName)
		if err != nil {
			return nil, err
		}
		v = fresh
		if prev, loaded := f.converters.LoadOrStore(typeName, fresh); loaded {
			v = prev
		}
	}
	return v.(*Converter), nil
}

var loggers sync.Map // string -> *Logger

// Logger is a logger of the library, wrapped.
type Logger struct{ out *log.Logger }

// V09 creates in two steps, the first a call of a foreign factory.
// Expected: verified.
func V09(name string) *Logger {
	v, ok := loggers.Load(name)
	if !ok {
		out := log.New(io.Discard, name, 0)
		fresh := &Logger{out: out}
		v = fresh
		if prev, loaded := loggers.LoadOrStore(name, fresh); loaded {
			v = prev
		}
	}
	return v.(*Logger)
}

var cloners sync.Map // reflect.Type -> *Cloner

// Cloner knows how to copy values of one type.
type Cloner struct{ typ reflect.Type }

// V11 caches what is known of a type, with the type as the key.
// Expected: verified.
func V11(typ reflect.Type) *Cloner {
	v, ok := cloners.Load(typ)
	if !ok {
		fresh := &Cloner{typ: typ}
		v = fresh
		if prev, loaded := cloners.LoadOrStore(typ, fresh); loaded {
			v = prev
		}
	}
	return v.(*Cloner)
}

var infos sync.Map // string -> *Info

// V12 is the plain form with a static map. Expected: verified.
func V12(class string) *Info {
	info, ok := infos.Load(class)
	if !ok {
		info = newInfo(class)
		if prev, loaded := infos.LoadOrStore(class, info); loaded {
			info = prev
		}
	}
	return info.(*Info)
}

var aspectLoggers sync.Map // string -> *Logger

// V13 has the data flow of V01 on a static map. Expected: verified.
func V13(class string) *Logger {
	v, ok := aspectLoggers.Load(class)
	if !ok {
		logger := &Logger{}
		v = logger
		prev, loaded := aspectLoggers.LoadOrStore(class, logger)
		if loaded {
			v = prev
		}
	}
	return v.(*Logger)
}
