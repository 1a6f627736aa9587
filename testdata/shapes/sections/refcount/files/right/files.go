// Package files keeps a file open as long as somebody reads it.
package files

import "sync"

// File is open.
type File struct {
	name string
	refs int
}

// Open has the files that are open.
type Open struct {
	mu    sync.Mutex
	files map[string]*File
}

func (o *Open) find(name string) (*File, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, ok := o.files[name]
	return f, ok
}

// Get opens a file, or shares it.
func (o *Open) Get(name string) *File {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, ok := o.files[name]
	if !ok {
		f = &File{name: name}
		o.files[name] = f
	}
	f.refs++
	return f
}

// Put gives a file back.
func (o *Open) Put(f *File) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f.refs--
	if f.refs == 0 {
		delete(o.files, f.name)
	}
}
