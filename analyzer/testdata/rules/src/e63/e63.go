// Package e63: a part of an entry is filled when it is asked for.
package e63

import (
	"os"
	"sync"
)

type command struct {
	name  string
	usage string
	calls int
}

type Table struct {
	mu       sync.RWMutex
	commands map[string]command
}

func (t *Table) Register(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.commands[name]; !ok {
		t.commands[name] = command{name: name}
	}
}

// Hidden writes the text the first time that somebody asks for it.
func (t *Table) Hidden(name string) string {
	t.mu.RLock()
	c := t.commands[name]
	t.mu.RUnlock()
	if c.usage != "" {
		return c.usage
	}
	c.usage = usageOf(name)
	t.mu.Lock()
	t.commands[name] = c
	t.mu.Unlock()
	return c.usage
}

func usageOf(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return "none"
	}
	return string(text)
}

type Counted struct {
	mu       sync.RWMutex
	commands map[string]command
}

func (t *Counted) Register(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.commands[name]; !ok {
		t.commands[name] = command{name: name}
	}
}

// Shown counts as well.
func (t *Counted) Shown(name string) string {
	t.mu.RLock()
	c := t.commands[name]
	t.mu.RUnlock()
	c.calls++
	if c.usage == "" {
		c.usage = usageOf(name)
	}
	t.mu.Lock()
	t.commands[name] = c // want "lost-update"
	t.mu.Unlock()
	return c.usage
}

func (t *Counted) Calls(name string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.commands[name].calls
}
