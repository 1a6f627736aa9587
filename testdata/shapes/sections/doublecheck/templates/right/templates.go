// Package templates parses each template once.
package templates

import "sync"

// Template counts how often it was rendered.
type Template struct {
	text     string
	mu       sync.Mutex
	rendered int
}

// Render counts.
func (t *Template) Render() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rendered++
	return t.text
}

var (
	mu        sync.Mutex
	templates = map[string]*Template{}
)

// Get is the template with a name.
func Get(name string, read func(string) (string, error)) (*Template, error) {
	mu.Lock()
	if t, ok := templates[name]; ok {
		mu.Unlock()
		return t, nil
	}
	mu.Unlock()
	text, err := read(name)
	if err != nil {
		return nil, err
	}
	t := &Template{text: text}
	mu.Lock()
	defer mu.Unlock()
	if first, ok := templates[name]; ok {
		return first, nil
	}
	templates[name] = t
	return t, nil
}
