package trial

import (
	"reflect"
	"unsafe"
)

// Keep returns a function that gives variables the values back that they have
// now. It is given pointers to them. Maps and slices are copied; what is
// behind a pointer is not.
func Keep(variables ...any) func() {
	var restore []func()
	for _, p := range variables {
		v := reflect.ValueOf(p).Elem()
		kept := copied(v)
		restore = append(restore, func() { v.Set(copied(kept)) })
	}
	return func() {
		for _, f := range restore {
			f()
		}
	}
}

// another is a pointer to a copy of what a pointer points to; any other value is
// itself. What is stored in a cell in one execution and changed there must not be
// what the next one begins with.
func another(value any) any {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return value
	}
	p := reflect.New(v.Type().Elem())
	p.Elem().Set(copied(v.Elem()))
	return p.Interface()
}

// copied is a value with maps and slices of its own, also in private fields.
func copied(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	own(out)
	return out
}

// own gives an addressable value maps and slices of its own.
func own(v reflect.Value) {
	switch v.Kind() {
	case reflect.Map:
		if v.IsNil() {
			return
		}
		m := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			m.SetMapIndex(it.Key(), it.Value())
		}
		v.Set(m)
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(s, v)
		v.Set(s)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			own(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem())
		}
	case reflect.Array:
		for i := range v.Len() {
			own(v.Index(i))
		}
	}
}
