package trial

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Bounds on what is looked at of a value.
const (
	deepLevels = 6
	deepLength = 64
)

// deep is what is behind the pointers of a value, as text: what is mutated in
// place and then lost shows in nothing else. Locks, functions and channels are
// nothing to compare. It is empty for a value without pointers.
func deep(value any) string {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Struct:
	default:
		return ""
	}
	w := &walk{seen: map[visit]int{}}
	w.value(v, 0)
	if !w.pointers {
		return ""
	}
	return w.text.String()
}

// walk writes one value.
type walk struct {
	text     strings.Builder
	seen     map[visit]int
	pointers bool
}

// visit is a pointer that was followed.
type visit struct {
	at uintptr
	of reflect.Type
}

func (w *walk) value(v reflect.Value, level int) {
	if level > deepLevels {
		w.text.WriteString("...")
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		w.pointer(v, level)
	case reflect.Interface:
		w.value(v.Elem(), level)
	case reflect.Struct:
		w.structure(v, level)
	case reflect.Slice, reflect.Array:
		w.text.WriteString("[")
		for i := range min(v.Len(), deepLength) {
			if i > 0 {
				w.text.WriteString(" ")
			}
			w.value(v.Index(i), level+1)
		}
		w.text.WriteString("]")
	case reflect.Map:
		w.mapping(v, level)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		w.text.WriteString("-")
	case reflect.Invalid:
		w.text.WriteString("nil")
	default:
		fmt.Fprintf(&w.text, "%v", v)
	}
}

func (w *walk) pointer(v reflect.Value, level int) {
	w.pointers = true
	if v.IsNil() {
		w.text.WriteString("nil")
		return
	}
	at := visit{v.Pointer(), v.Type()}
	if n, again := w.seen[at]; again {
		fmt.Fprintf(&w.text, "&%d", n)
		return
	}
	w.seen[at] = len(w.seen) + 1
	w.value(v.Elem(), level+1)
}

func (w *walk) structure(v reflect.Value, level int) {
	w.text.WriteString("{")
	first := true
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if isLock(f.Type) || f.Type == reflect.TypeFor[*time.Location]() || f.Name == "_" {
			continue
		}
		if !first {
			w.text.WriteString(" ")
		}
		first = false
		if v.NumField() > 1 {
			w.text.WriteString(f.Name + ":")
		}
		w.value(v.Field(i), level+1)
	}
	w.text.WriteString("}")
}

// isLock reports whether a type is of package sync or of its drop-in: what it
// holds says how the execution went, and not what came of it.
func isLock(t reflect.Type) bool {
	path := t.PkgPath()
	return path == "sync" || strings.HasSuffix(path, "/sched/sync")
}

// mapping writes the entries of a map in the order of their text.
func (w *walk) mapping(v reflect.Value, level int) {
	var entries []string
	for it := v.MapRange(); it.Next() && len(entries) < deepLength; {
		one := &walk{seen: w.seen}
		one.value(it.Key(), level+1)
		one.text.WriteString(":")
		one.value(it.Value(), level+1)
		w.pointers = w.pointers || one.pointers
		entries = append(entries, one.text.String())
	}
	slices.Sort(entries)
	w.text.WriteString("map[" + strings.Join(entries, " ") + "]")
}
