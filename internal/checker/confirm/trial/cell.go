package trial

import "reflect"

// mapLike is sync.Map.
type mapLike interface {
	Load(key any) (any, bool)
	Swap(key, value any) (any, bool)
	LoadAndDelete(key any) (any, bool)
}

// cell is an entry of a map, or an atomic.
type cell struct {
	object, key any
	// name is the same for the same cell in all executions of a test, as far
	// as can be told: the line where it was met first, the key, and how many
	// of that name were met before.
	name string
	held []any  // in the end: nothing if the key is absent
	deep string // what is behind its pointers, if that counts
}

// read notes what the cell holds.
func (c *cell) read() {
	m, ok := c.object.(mapLike)
	if !ok {
		c.held = call(c.object, "Load")
		return
	}
	if v, ok := m.Load(c.key); ok {
		c.held = []any{v}
	}
}

// look is read, and follows pointers.
func (c *cell) look() {
	c.read()
	if len(c.held) == 1 {
		c.deep = deep(c.held[0])
	}
}

// swap stores a value and returns the one before.
func (c cell) swap(v any) []any {
	if m, ok := c.object.(mapLike); ok {
		old, _ := m.Swap(c.key, v)
		return []any{old}
	}
	return call(c.object, "Swap", v)
}

// remove deletes the entry and returns what it was.
func (c cell) remove() []any {
	if m, ok := c.object.(mapLike); ok {
		old, _ := m.LoadAndDelete(c.key)
		return []any{old}
	}
	return nil
}

// call calls a method of one of the atomic types; nothing if the value does
// not fit.
func call(object any, method string, args ...any) []any {
	m := reflect.ValueOf(object).MethodByName(method)
	if !m.IsValid() || m.Type().NumIn() != len(args) {
		return nil
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
		if !in[i].IsValid() || !in[i].Type().AssignableTo(m.Type().In(i)) {
			return nil
		}
	}
	var out []any
	for _, v := range m.Call(in) {
		out = append(out, v.Interface())
	}
	return out
}
