// Package sizes bounds a cache by the bytes in it.
package sizes

import "sync"

// Cache holds blobs.
type Cache struct {
	max int64

	mu    sync.Mutex
	blobs map[string][]byte
	size  int64
}

// New returns a cache of max bytes.
func New(max int64) *Cache { return &Cache{max: max, blobs: map[string][]byte{}} }

func (c *Cache) room(n int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size+n <= c.max
}

// Add adds a blob, if there is room for it.
func (c *Cache) Add(name string, b []byte) bool {
	n := int64(len(b))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size+n > c.max {
		return false
	}
	c.size += n - int64(len(c.blobs[name]))
	c.blobs[name] = b
	return true
}

// Remove removes a blob.
func (c *Cache) Remove(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size -= int64(len(c.blobs[name]))
	delete(c.blobs, name)
}
