package trial

import "reflect"

// mapLike is sync.Map.
type mapLike interface {
	Load(key any) (any, bool)
	Swap(key, value any) (any, bool)
	LoadAndDelete(key any) (any, bool)
}

// absent is what a cell holds that is not there.
const absent = "absent"

// load is what the cell holds.
func (c cell) load() any {
	if m, ok := c.object.(mapLike); ok {
		if v, ok := m.Load(c.key); ok {
			return v
		}
		return absent
	}
	return first(call(c.object, "Load"))
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

func first(results []any) any {
	if len(results) == 0 {
		return nil
	}
	return results[0]
}
