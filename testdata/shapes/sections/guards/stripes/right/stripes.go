// Package stripes serializes the writes to files by their path.
package stripes

import (
	"hash/crc32"
	"sync"
)

type handle struct {
	path    string
	written int64
}

// Files are the open files of a log store.
type Files struct {
	stripes [16]sync.Mutex
	tables  [16]map[string]*handle
}

// Open returns no open files.
func Open() *Files {
	f := new(Files)
	for i := range f.tables {
		f.tables[i] = make(map[string]*handle)
	}
	return f
}

func index(path string) int { return int(crc32.ChecksumIEEE([]byte(path)) % 16) }

// Append notes that n bytes were written to path.
func (f *Files) Append(path string, n int64) int64 {
	i := index(path)
	f.stripes[i].Lock()
	h := f.tables[i][path]
	defer f.stripes[i].Unlock()
	if h == nil {
		h = &handle{path: path}
		f.tables[i][path] = h
	}
	h.written += n
	return h.written
}

// Remove forgets path.
func (f *Files) Remove(path string) {
	i := index(path)
	f.stripes[i].Lock()
	delete(f.tables[i], path)
	f.stripes[i].Unlock()
}
