// Package pointers has pointers in cells that are there because an atomic holds
// nothing else: what they point to is a value.
package pointers

import "sync/atomic"

// Block computes its hash once. Nobody gets the pointer, so it does not matter
// which one of two it is.
type Block struct {
	head [4]byte
	hash atomic.Pointer[[4]byte]
}

func (b *Block) Hash() [4]byte {
	if h := b.hash.Load(); h != nil {
		return *h
	}
	h := sum(b.head)
	b.hash.Store(&h)
	return h
}

func sum(head [4]byte) [4]byte {
	head[0]++
	return head
}

// Counter hands the pointer out, and its users count with it.
type Counter struct{ n atomic.Pointer[int64] }

func (c *Counter) Get() *int64 {
	if n := c.n.Load(); n != nil {
		return n
	}
	n := new(int64)
	c.n.Store(n) // want "duplicate-instance"
	return n
}

// Counted passes it on.
type Counted struct {
	n     atomic.Pointer[int64]
	count func(*int64)
}

func (c *Counted) Add() {
	n := c.n.Load()
	if n == nil {
		n = new(int64)
		c.n.Store(n) // want "duplicate-instance"
	}
	c.count(n)
}

type entry struct{ hits map[string]int }

// Table points to a struct with something to change in it: a copy of the struct has
// the same map.
type Table struct{ e atomic.Pointer[entry] }

func (t *Table) Hits() entry {
	if e := t.e.Load(); e != nil {
		return *e
	}
	e := entry{hits: map[string]int{}}
	t.e.Store(&e) // want "duplicate-instance"
	return e
}

// Hit changes the map of whoever has it.
func (e *entry) Hit(name string) { e.hits[name]++ }

type names struct{ ids map[int]string }

// Names points to a struct with a table that is only filled where it is made.
type Names struct{ n atomic.Pointer[names] }

func (t *Names) All() names {
	if n := t.n.Load(); n != nil {
		return *n
	}
	n := names{ids: map[int]string{1: "one", 2: "two"}}
	t.n.Store(&n)
	return n
}

// text calls a method of the universe, which is in no package.
func text(err error) string { return error.Error(err) }
