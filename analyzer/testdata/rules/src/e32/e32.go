// Package main: one goroutine makes all calls of an exported function, as its program says.
package main

import "sync"

type item struct {
	mu  sync.Mutex
	use int
}

func (i *item) touch() {
	i.mu.Lock()
	i.use++
	i.mu.Unlock()
}

// Stock is filled by one goroutine, and looked at by others.
type Stock struct{ items sync.Map }

// Hidden is called by the one that takes orders, and before that by main.
func (s *Stock) Hidden(name string) {
	if _, ok := s.items.Load(name); !ok {
		s.items.Store(name, new(item))
	}
}

func (s *Stock) Look(name string) {
	if v, ok := s.items.Load(name); ok {
		v.(*item).touch()
	}
}

// Shelf is filled by four goroutines.
type Shelf struct{ items sync.Map }

func (s *Shelf) Shown(name string) {
	if _, ok := s.items.Load(name); !ok {
		s.items.Store(name, new(item)) // want "duplicate-instance"
	}
}

func (s *Shelf) Look(name string) {
	if v, ok := s.items.Load(name); ok {
		v.(*item).touch()
	}
}

// Counter is asked through an interface, by whoever has one.
type Counter struct{ items sync.Map }

func (c *Counter) ShownThrough(name string) {
	if _, ok := c.items.Load(name); !ok {
		c.items.Store(name, new(item)) // want "duplicate-instance"
	}
}

func (c *Counter) Look(name string) {
	if v, ok := c.items.Load(name); ok {
		v.(*item).touch()
	}
}

type through interface{ ShownThrough(name string) }

func main() {
	stock, shelf, orders := new(Stock), new(Shelf), make(chan string)
	var counter through = new(Counter)
	stock.Hidden("first")
	go func() {
		for name := range orders {
			stock.Hidden(name)
		}
	}()
	for range 4 {
		go func() {
			for name := range orders {
				stock.Look(name)
				shelf.Look(name)
				shelf.Shown(name)
				counter.ShownThrough(name)
			}
		}()
	}
	orders <- "second"
}
