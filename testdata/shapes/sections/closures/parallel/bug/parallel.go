// Package parallel fetches pages at the same time and adds up what they have.
package parallel

import (
	"sync"

	"golang.org/x/sync/errgroup"
)

// Totals are by word.
type Totals struct {
	mu sync.Mutex
	m  map[string]int
}

func (t *Totals) get(word string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[word]
}

func (t *Totals) set(word string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[word] = n
}

// Fetch adds the words of all pages.
func (t *Totals) Fetch(pages []string, words func(page string) (map[string]int, error)) error {
	var group errgroup.Group
	for _, page := range pages {
		group.Go(func() error {
			found, err := words(page)
			for word, n := range found {
				t.set(word, t.get(word)+n)
			}
			return err
		})
	}
	return group.Wait()
}
