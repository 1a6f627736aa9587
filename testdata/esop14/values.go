package esop14

import (
	"fmt"
	"strings"
	"sync"
)

// Lock is a named lock.
type Lock struct {
	name string
	mu   sync.Mutex
}

func newLock(name string) *Lock { return &Lock{name: name} }

// Scope is a set of variables that belong together.
type Scope struct {
	name string
	vars map[string]any
}

func newScope(name string) *Scope { return &Scope{name: name} }

// Stats counts the calls of one method.
type Stats struct {
	method string
	mu     sync.Mutex
	calls  int
}

func newStats(method string) *Stats { return &Stats{method: method} }

// Queue is a list of messages for one receiver.
type Queue struct {
	name  string
	mu    sync.Mutex
	items []string
}

func newQueue(name string) *Queue { return &Queue{name: name} }

// Converter translates values of one type.
type Converter struct{ typeName string }

func newConverter(typeName string) *Converter { return &Converter{typeName: typeName} }

// parseConverter fails for names without a package. Whether it fails depends
// on the name only, so every caller with that name fails alike.
func parseConverter(typeName string) (*Converter, error) {
	if !strings.Contains(typeName, ".") {
		return nil, fmt.Errorf("no package in type name %q", typeName)
	}
	return &Converter{typeName: typeName}, nil
}

// Info describes a type.
type Info struct{ name string }

func newInfo(name string) *Info { return &Info{name: name} }

// Resources are the texts of one bundle in one language.
type Resources struct{ bundle, locale string }

func newResources(bundle, locale string) *Resources {
	return &Resources{bundle: bundle, locale: locale}
}
