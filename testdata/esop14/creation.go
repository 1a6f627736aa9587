package esop14

import (
	"fmt"
	"strings"
	"sync"
)

// The rows of this file keep the winner of LoadOrStore like those of
// getorcreate.go, but what they create depends on a branch.

// Property is a resolved property path.
type Property struct{ path string }

// resolve fails for paths that end in a dot. The answer depends on the path
// only.
func resolve(path string) *Property {
	if strings.HasSuffix(path, ".") {
		return nil
	}
	return &Property{path: path}
}

var properties sync.Map // string -> *Property

// V10 creates a value that may be nil: then nothing is stored.
// Expected: verified.
func V10(path string) *Property {
	if v, ok := properties.Load(path); ok {
		return v.(*Property)
	}
	fresh := resolve(path)
	if fresh == nil {
		return nil
	}
	if prev, loaded := properties.LoadOrStore(path, fresh); loaded {
		return prev.(*Property)
	}
	return fresh
}

// Persister stores objects of one class.
type Persister struct {
	class  string
	static bool
}

var persisters sync.Map // string -> *Persister

// V21 creates at one of two places, chosen by a pure predicate of the key.
// Expected: verified.
func V21(class string) *Persister {
	if class == "" {
		return nil
	}
	v, ok := persisters.Load(class)
	if !ok {
		var fresh *Persister
		if strings.HasPrefix(class, "static.") {
			fresh = &Persister{class: class, static: true}
		} else {
			fresh = &Persister{class: class}
		}
		v = fresh
		if prev, loaded := persisters.LoadOrStore(class, fresh); loaded {
			v = prev
		}
	}
	return v.(*Persister)
}

// Tools starts the tools of one family of operating systems.
type Tools interface{ command(name string) string }

type windowsTools struct{ root string }

func (t *windowsTools) command(name string) string { return t.root + `\` + name + ".exe" }

type unixTools struct{ root string }

func (t *unixTools) command(name string) string { return t.root + "/" + name }

var tools sync.Map // string -> Tools

// N11 creates one of two kinds or fails, by comparing the key with constants.
// The paper's tool reported it: it let two runs with the same key take
// different branches. Expected: verified.
func N11(family string) (Tools, error) {
	v, ok := tools.Load(family)
	if !ok {
		var fresh Tools
		switch family {
		case "windows":
			fresh = &windowsTools{root: `C:\tools`}
		case "unix":
			fresh = &unixTools{root: "/opt/tools"}
		default:
			return nil, fmt.Errorf("no tools for %q", family)
		}
		prev, loaded := tools.LoadOrStore(family, fresh)
		v = prev
		if !loaded {
			v = fresh
		}
	}
	return v.(Tools), nil
}
