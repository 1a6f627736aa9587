// Package values writes what calls returned as text that can be compared, with pointers
// named by where they first come up. It is a package of its own since it is compiled along
// with the user's code, of which little else is needed there.
package values

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched/sync"
)

// Unordered marks results whose order does not matter, as what a Range over a
// map visits: they are compared as a bag.
type Unordered []any

// A Reply is what a call returned, in a form that can be compared: JSON text
// of its results, in which mark stands for each pointer. What a pointer is
// called depends on who names it, so that names are kept apart (see Names).
type Reply struct {
	Text string
	Refs []int32 // one for each mark in the text
}

// Mark stands for a pointer. JSON text does not have it.
const Mark = "\x00"

// Bounds on what is looked at of a value.
const (
	maxDepth  = 6
	maxLength = 64
)

// Numbers are given to pointers in the order in which they are first seen in
// an execution. The map keeps what it numbers alive, so that no address stands
// for two.
type Numbers map[unsafe.Pointer]int32

func (n Numbers) of(at unsafe.Pointer) int32 {
	number, known := n[at]
	if !known {
		number = int32(len(n) + 1)
		n[at] = number
	}
	return number
}

// Printer writes the results of one call at a time. To print an iterator is
// to run it, and other threads print meanwhile: each has its own printer.
type Printer struct {
	Numbers Numbers
	Quote   func(string) string // makes JSON of a string
	buf     []byte
	refs    []int32
	depth   int
}

// Reply writes the results of one call. The text is valid until the next.
func (p *Printer) Reply(results []any) (text []byte, refs []int32) {
	p.buf, p.refs, p.depth = append(p.buf[:0], '['), nil, 0
	for i, r := range results {
		if i > 0 {
			p.buf = append(p.buf, ',')
		}
		p.any(r)
	}
	p.buf = append(p.buf, ']')
	return p.buf, p.refs
}

// any writes a value. The types of most results are written without a look
// into reflection.
func (p *Printer) any(x any) {
	switch x := x.(type) {
	case nil:
		p.word("null")
	case bool:
		p.buf = strconv.AppendBool(p.buf, x)
	case int:
		p.buf = strconv.AppendInt(p.buf, int64(x), 10)
	case string:
		p.string(x)
	case Unordered:
		p.bag(x)
	default:
		p.value(reflect.ValueOf(x))
	}
}

func (p *Printer) word(s string) { p.buf = append(p.buf, s...) }

func (p *Printer) string(s string) { p.word(p.Quote(s)) }

// bag writes the members in the order of their texts.
func (p *Printer) bag(members []any) {
	p.sorted(len(members), func(i int) { p.any(members[i]) })
}

// sorted writes a list of n texts in order. Pointers are numbered before
// that, so that a bag of new pointers is compared by how many there are.
func (p *Printer) sorted(n int, write func(int)) {
	type member struct {
		text string
		refs []int32
	}
	outer, refs := p.buf, p.refs
	members := make([]member, min(n, maxLength))
	for i := range members {
		p.buf, p.refs = nil, nil
		write(i)
		members[i] = member{string(p.buf), p.refs}
	}
	slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.text, b.text) })
	p.buf, p.refs = append(outer, '['), refs
	for i, m := range members {
		if i > 0 {
			p.buf = append(p.buf, ',')
		}
		p.word(m.text)
		p.refs = append(p.refs, m.refs...)
	}
	p.buf = append(p.buf, ']')
}

// value writes any value, to a bounded depth.
func (p *Printer) value(v reflect.Value) {
	if p.depth >= maxDepth {
		p.string("...")
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	if v.CanInterface() {
		if err, ok := v.Interface().(error); ok && !isNil(v) {
			p.string(err.Error())
			return
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		p.buf = strconv.AppendBool(p.buf, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.buf = strconv.AppendInt(p.buf, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.buf = strconv.AppendUint(p.buf, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		p.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		p.string(fmt.Sprint(v.Complex()))
	case reflect.String:
		p.string(v.String())
	case reflect.Interface:
		p.elem(v)
	case reflect.Slice, reflect.Array:
		p.list(v)
	case reflect.Map:
		p.mapping(v)
	case reflect.Struct:
		p.fields(v, false)
	case reflect.Pointer:
		p.pointer(v)
	case reflect.Func:
		p.function(v)
	case reflect.Chan, reflect.UnsafePointer:
		p.reference(v.UnsafePointer())
	default:
		p.string("?")
	}
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}

func (p *Printer) float(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		p.string(fmt.Sprint(f))
		return
	}
	if f == 0 {
		f = 0 // negative zero equals it, and JSON has one zero
	}
	p.buf = strconv.AppendFloat(p.buf, f, 'g', -1, 64)
}

func (p *Printer) elem(v reflect.Value) {
	if v.IsNil() {
		p.word("null")
		return
	}
	p.value(v.Elem())
}

// list writes a slice or an array. A nil slice is an empty one: the callers
// of most methods cannot tell, and do not want to.
func (p *Printer) list(v reflect.Value) {
	p.buf = append(p.buf, '[')
	for i := range min(v.Len(), maxLength) {
		if i > 0 {
			p.buf = append(p.buf, ',')
		}
		p.value(v.Index(i))
	}
	p.buf = append(p.buf, ']')
}

// mapping writes a map as pairs, in the order of their texts.
func (p *Printer) mapping(v reflect.Value) {
	keys := v.MapKeys()
	p.sorted(len(keys), func(i int) { p.pair(keys[i], v.MapIndex(keys[i])) })
}

func (p *Printer) pair(k, v reflect.Value) {
	p.buf = append(p.buf, '[')
	p.value(k)
	p.buf = append(p.buf, ',')
	p.value(v)
	p.buf = append(p.buf, ']')
}

// lockPackages are where locks and the like come from. Their state is no part
// of a result, in which they may be: an embedded mutex is an exported field.
var lockPackages = []string{"sync", reflect.TypeFor[sync.Mutex]().PkgPath()}

// visible are the fields of a struct that count, of all or the exported ones.
func visible(t reflect.Type, exported bool) []int {
	var at []int
	for i := range t.NumField() {
		if f := t.Field(i); (!exported || f.IsExported()) && !slices.Contains(lockPackages, f.Type.PkgPath()) {
			at = append(at, i)
		}
	}
	return at
}

// fields writes the fields of a struct in the order of their names: all, or
// the exported ones.
func (p *Printer) fields(v reflect.Value, exported bool) {
	t := v.Type()
	at := visible(t, exported)
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(t.Field(a).Name, t.Field(b).Name) })
	p.buf = append(p.buf, '{')
	for n, i := range at {
		if n > 0 {
			p.buf = append(p.buf, ',')
		}
		p.string(t.Field(i).Name)
		p.buf = append(p.buf, ':')
		p.value(v.Field(i))
	}
	p.buf = append(p.buf, '}')
}

// pointer writes which pointer it is and what is public of what it points to:
// a private field may change while the pointer is what matters.
func (p *Printer) pointer(v reflect.Value) {
	elem := v.Type().Elem()
	open := elem.Kind() != reflect.Struct || len(visible(elem, true)) > 0
	if v.IsNil() || !open {
		p.reference(v.UnsafePointer())
		return
	}
	p.buf = append(p.buf, '[')
	p.reference(v.UnsafePointer())
	p.buf = append(p.buf, ',')
	if elem.Kind() == reflect.Struct {
		p.fields(v.Elem(), true)
	} else {
		p.value(v.Elem())
	}
	p.buf = append(p.buf, ']')
}

// reference writes Mark for a pointer, and notes its number.
func (p *Printer) reference(at unsafe.Pointer) {
	if at == nil {
		p.word("null")
		return
	}
	p.refs = append(p.refs, p.Numbers.of(at))
	p.word(Mark)
}

// function writes what an iterator yields, in order if it yields single
// values and as a bag if it yields pairs, whose order is mostly that of a
// map. Of other functions there is only to say that they are.
func (p *Printer) function(v reflect.Value) {
	t := v.Type()
	switch {
	case v.IsNil():
		p.word("null")
	case t.CanSeq2() && v.CanInterface():
		ks, vs := collect(v.Seq2())
		p.sorted(len(ks), func(i int) { p.pair(ks[i], vs[i]) })
	case t.CanSeq() && v.CanInterface():
		p.buf = append(p.buf, '[')
		n := 0
		for x := range v.Seq() {
			if n++; n > maxLength {
				break
			}
			if n > 1 {
				p.buf = append(p.buf, ',')
			}
			p.value(x)
		}
		p.buf = append(p.buf, ']')
	default:
		p.string("func")
	}
}

func collect(seq iter.Seq2[reflect.Value, reflect.Value]) (ks, vs []reflect.Value) {
	for k, v := range seq {
		if len(ks) == maxLength {
			break
		}
		ks, vs = append(ks, k), append(vs, v)
	}
	return ks, vs
}

// Names gives pointers the names that a reader sees: &1, &2, in the order in
// which they come up. Numbers are those of one execution, and two executions
// that differ only in them are the same.
type Names map[int32]int

// Text is a reply with its pointers named.
func (n Names) Text(r Reply) string {
	if len(r.Refs) == 0 {
		return r.Text
	}
	var out strings.Builder
	rest := r.Text
	for _, ref := range r.Refs {
		if n[ref] == 0 {
			n[ref] = len(n) + 1
		}
		before, after, _ := strings.Cut(rest, Mark)
		fmt.Fprintf(&out, `%s"&%d"`, before, n[ref])
		rest = after
	}
	return out.String() + rest
}

// Texts are the texts of what several calls returned, in this order, with the pointers of
// all of them named in one way.
func Texts(quote func(string) string, calls [][]any) []string {
	p, n := &Printer{Numbers: Numbers{}, Quote: quote}, Names{}
	out := make([]string, len(calls))
	for i, results := range calls {
		text, refs := p.Reply(results)
		out[i] = n.Text(Reply{string(text), refs})
	}
	return out
}
