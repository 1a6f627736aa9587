// Package e50: what is remembered follows from its key, and is computed twice.
package e50

import (
	"strconv"
	"sync"
)

type Numbers struct {
	parsed        sync.Map
	onHit, onMiss func()
}

func New(onHit, onMiss func()) *Numbers { return &Numbers{onHit: onHit, onMiss: onMiss} }

// Hidden tells whether it had it.
func (n *Numbers) Hidden(text string) int {
	if v, ok := n.parsed.Load(text); ok {
		n.onHit()
		return v.(int)
	}
	v, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	n.parsed.Store(text, v)
	n.onMiss()
	return v
}

// Names tells of each name once.
type Names struct {
	seen          sync.Map
	onHit, onMiss func()
}

func NewNames(onHit, onMiss func()) *Names { return &Names{onHit: onHit, onMiss: onMiss} }

// Shown remembers that it has told.
func (n *Names) Shown(name string) {
	if _, ok := n.seen.Load(name); ok {
		n.onHit()
		return
	}
	n.seen.Store(name, true)
	n.onMiss()
}

// Words counts the words that there are.
type Words struct {
	lengths sync.Map
	count   func(length int)
}

func NewWords(count func(length int)) *Words { return &Words{count: count} }

// ShownTold tells what it has found out.
func (w *Words) ShownTold(word string) int {
	if v, ok := w.lengths.Load(word); ok {
		return v.(int)
	}
	v, err := strconv.Atoi(word)
	if err != nil {
		return 0
	}
	w.lengths.Store(word, v)
	w.count(v)
	return v
}
