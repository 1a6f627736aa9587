package libs

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// Every operation on one cell does, called alone, what the table says: for
// an absent and a present cell, for matching and other expectations, and for
// every decision that a callback can take.
func TestOperationsConform(t *testing.T) {
	for _, op := range catalog.Default().Ops() {
		if op.Kind > catalog.Compute || unavailable[op.Type.Pkg] || op.Param(catalog.Keys) >= 0 {
			continue
		}
		t.Run(op.Type.Pkg+"/"+op.Type.Name+"."+op.Name, func(t *testing.T) {
			for _, present := range []bool{false, true} {
				for expect := range 2 {
					for decision := range 3 {
						r := newRun(t, op)
						r.expect, r.decision = []int{before, other}[expect], decision
						r.conform(present)
					}
				}
			}
		})
	}
}

// The samples that take part. Written values are odd or even as needed to
// differ from before for booleans as well.
const (
	before  = 1 // content at the start, if present
	other   = 4 // an expectation that does not match
	written = 6 // the value given to the operation
	decided = 8 // the value that a callback returns
	delta   = 3
)

// run is one call of one operation on one fresh object.
type run struct {
	t        *testing.T
	op       *catalog.Op
	recv     reflect.Value // the map, or a pointer to the cell of a function
	value    reflect.Type
	expect   int
	decision int
	// old and had are the content before; kept and present, after.
	old, now     reflect.Value
	had, present bool
	wrote        bool
	flag         bool // what a callback answered as delete flag
}

func newRun(t *testing.T, op *catalog.Op) *run {
	r := &run{t: t, op: op}
	if op.Type.Name == "" {
		cell := reflect.TypeOf(functions[op.Name]).In(op.Param(catalog.CellAddr))
		r.value, r.recv = cell.Elem(), reflect.New(cell.Elem())
		return r
	}
	mk, ok := makers[typeName{op.Type.Pkg, op.Type.Name}]
	require.True(t, ok, "makers in makers_test.go has none that makes an empty %s", op.Type.Display)
	r.recv = reflect.ValueOf(mk())
	if setter := r.find(catalog.Store, catalog.Value); setter != nil {
		r.value = r.method(setter).Type().In(setter.Param(catalog.Value))
	} else {
		r.value = reflect.TypeFor[int64]() // a counter
	}
	return r
}

// find returns an operation of the kind with the role as a parameter (for
// Store) or a result.
func (r *run) find(kind catalog.Kind, role catalog.Role) *catalog.Op {
	for _, op := range catalog.Default().Ops() {
		if op.Type == r.op.Type && op.Kind == kind && (op.Param(role) >= 0 || op.Result(role) >= 0) {
			return op
		}
	}
	return nil
}

func (r *run) method(op *catalog.Op) reflect.Value {
	if op.Type.Name == "" {
		return reflect.ValueOf(functions[op.Name])
	}
	m := r.recv.MethodByName(op.Name)
	require.True(r.t, m.IsValid(), "%s has no method", op)
	return m
}

// contentType is the dynamic type of the samples: of an any-valued cache
// that adds, it is the type of what is added.
func (r *run) contentType() reflect.Type {
	if i := r.op.Param(catalog.Delta); i >= 0 && r.value.Kind() == reflect.Interface {
		return r.method(r.op).Type().In(i)
	}
	return r.value
}

func (r *run) conform(present bool) {
	r.setUp(present)
	results := r.call(r.op)
	r.decide()
	for i, role := range r.op.Results {
		r.checkResult(i, role, results[i])
	}
	r.checkContent()
}

// setUp brings the cell to its state before.
func (r *run) setUp(present bool) {
	r.had = r.op.Type.Cell == catalog.AtomicCell
	r.old = reflect.Zero(r.value)
	if !present {
		r.now, r.present = r.old, r.had
		return
	}
	r.old, r.had = sample(r.contentType(), before), true
	switch setter := r.find(catalog.Store, catalog.Value); {
	case r.op.Type.Name == "":
		r.recv.Elem().Set(r.old)
	case setter == nil: // a counter
		r.recv.MethodByName("Add").Call([]reflect.Value{r.old})
	default:
		args := r.args(setter)
		args[setter.Param(catalog.Value)] = r.old
		r.method(setter).Call(args)
	}
	r.now, r.present = r.old, r.had
}

func (r *run) call(op *catalog.Op) []reflect.Value {
	return r.method(op).Call(r.args(op))
}

func (r *run) args(op *catalog.Op) []reflect.Value {
	typ := r.method(op).Type()
	var args []reflect.Value
	for i, role := range op.Params {
		if typ.IsVariadic() && i == typ.NumIn()-1 {
			break // options
		}
		in := typ.In(i)
		switch role {
		case catalog.CellAddr:
			args = append(args, r.recv)
		case catalog.Key:
			args = append(args, sample(reflect.TypeFor[string](), 1))
		case catalog.Value, catalog.New:
			args = append(args, sample(in, written))
		case catalog.Old:
			args = append(args, sample(in, r.expect))
		case catalog.Delta:
			args = append(args, sample(in, delta))
		case catalog.Callback:
			args = append(args, r.callback(in))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	return args
}

// callback makes the func, which checks what it is given.
func (r *run) callback(typ reflect.Type) reflect.Value {
	cb := r.op.Callback
	return reflect.MakeFunc(typ, func(args []reflect.Value) []reflect.Value {
		for i, role := range cb.Params {
			switch role {
			case catalog.Old:
				r.same(r.old, args[i], "callback's old")
			case catalog.Had:
				assert.Equal(r.t, r.had, args[i].Bool(), "callback's had")
			case catalog.Value:
				r.same(sample(r.value, written), args[i], "callback's value")
			case catalog.Key:
				assert.Equal(r.t, sample(reflect.TypeFor[string](), 1).String(), args[i].String())
			}
		}
		var results []reflect.Value
		for i, role := range cb.Results {
			results = append(results, r.answer(role, typ.Out(i)))
		}
		return results
	})
}

func (r *run) answer(role catalog.Role, typ reflect.Type) reflect.Value {
	v := reflect.New(typ).Elem()
	switch role {
	case catalog.New:
		return sample(typ, decided)
	case catalog.DeleteFlag, catalog.CancelFlag:
		v.SetBool(r.decision == 1)
	case catalog.Opcode:
		v.SetInt(int64(r.decision))
	case catalog.Err:
		if r.decision == 1 {
			v.Set(reflect.ValueOf(numberError(1)))
		}
	}
	return v
}

// decide computes the content after, by the table's meaning.
func (r *run) decide() {
	op := r.op
	switch op.Kind {
	case catalog.Store:
		r.write(r.given())
	case catalog.Delete:
		r.present = false
	case catalog.Insert:
		if !r.had {
			r.write(r.given())
		}
	case catalog.Replace:
		if r.had {
			r.write(r.given())
		}
	case catalog.CAS:
		if r.matches() {
			r.write(r.given())
		}
	case catalog.CAD:
		r.present = r.had && !r.matches()
	case catalog.Update:
		if r.had || op.When != catalog.IfPresent {
			r.write(r.apply())
		}
	case catalog.Compute:
		r.decideCallback()
	}
	if !r.present {
		r.now = reflect.Zero(r.value)
	}
}

func (r *run) decideCallback() {
	op, cb := r.op, r.op.Callback
	if op.When == catalog.IfAbsent && r.had || op.When == catalog.IfPresent && !r.had {
		return
	}
	for _, role := range cb.Results {
		switch role {
		case catalog.DeleteFlag:
			r.flag = r.decision == 1
			if r.flag {
				r.present = false
				return
			}
		case catalog.CancelFlag, catalog.Err:
			if r.decision == 1 {
				return
			}
		case catalog.Opcode:
			if r.decision != 1 {
				r.present = r.present && r.decision != 2
				return
			}
		}
	}
	for _, role := range cb.Results {
		if role == catalog.New {
			r.write(sample(r.value, decided))
		}
	}
}

func (r *run) write(v reflect.Value) { r.now, r.present, r.wrote = v, true, true }

func (r *run) matches() bool {
	return r.had && equal(r.old, sample(r.value, r.expect))
}

// given is what the operation was given to write.
func (r *run) given() reflect.Value {
	if r.op.Const != "" {
		require.Equal(r.t, "0", r.op.Const)
		return reflect.Zero(r.value)
	}
	return sample(r.value, written)
}

// apply is the content after an Update.
func (r *run) apply() reflect.Value {
	v := reflect.New(r.contentType()).Elem()
	n := delta
	if r.op.Const != "" {
		require.Equal(r.t, "1", r.op.Const)
		n = 1
	}
	var x int64
	switch old := r.old; {
	case r.op.FN == "not":
		v.SetBool(!old.Bool())
		return v
	case !old.IsZero():
		x = before
	}
	switch r.op.FN {
	case "add":
		x += int64(n)
	case "sub":
		x -= int64(n)
	case "and":
		x &= int64(n)
	case "or":
		x |= int64(n)
	default:
		r.t.Fatalf("no model of %s", r.op.FN)
	}
	return reflect.ValueOf(x).Convert(v.Type())
}

func (r *run) ok() bool {
	switch r.op.Kind {
	case catalog.Insert:
		return !r.had
	case catalog.CAS, catalog.CAD:
		return r.matches()
	case catalog.Compute:
		return r.present
	case catalog.Store:
		return true
	}
	return r.had
}

func (r *run) checkResult(i int, role catalog.Role, got reflect.Value) {
	msg := fmt.Sprintf("result %d, had %v, expect %d, decision %d", i, r.had, r.expect, r.decision)
	actual := r.now
	if r.had {
		actual = r.old
	}
	last := r.now
	if !r.present {
		last = r.old
	}
	switch role {
	case catalog.Old:
		r.same(r.old, got, msg)
	case catalog.New:
		r.same(r.now, got, msg)
	case catalog.Actual:
		if failed := r.op.Result(catalog.Err); failed < 0 || r.ok() {
			r.same(actual, got, msg)
		}
	case catalog.Last:
		r.same(last, got, msg)
	case catalog.Had:
		assert.Equal(r.t, r.had, got.Bool(), msg)
	case catalog.NotHad:
		assert.Equal(r.t, !r.had, got.Bool(), msg)
	case catalog.Present:
		assert.Equal(r.t, r.present, got.Bool(), msg)
	case catalog.OK:
		assert.Equal(r.t, r.ok(), got.Bool(), msg)
	case catalog.NotOK:
		assert.Equal(r.t, !r.ok(), got.Bool(), msg)
	case catalog.DeleteFlag:
		assert.Equal(r.t, r.flag, got.Bool(), msg)
	case catalog.Err:
		assert.Equal(r.t, r.ok(), got.IsNil(), msg)
	case catalog.Zero:
		assert.True(r.t, got.IsZero(), msg)
	case catalog.ItemOld:
		r.checkItem(r.had, r.old, got, msg)
	case catalog.ItemNew:
		r.checkItem(r.present, r.now, got, msg)
	case catalog.ItemActual:
		r.checkItem(r.had || r.wrote, actual, got, msg)
	}
}

func (r *run) checkItem(some bool, want, item reflect.Value, msg string) {
	if assert.Equal(r.t, some, !item.IsNil(), msg) && some {
		r.same(want, item.MethodByName("Value").Call(nil)[0], msg)
	}
}

// checkContent reads the cell after the operation.
func (r *run) checkContent() {
	if r.op.Type.Name == "" {
		r.same(r.now, r.recv.Elem(), "content after")
		return
	}
	load := r.find(catalog.Load, catalog.Old)
	if load == nil {
		load = r.find(catalog.Load, catalog.ItemOld)
	}
	results := r.call(load)
	if i := load.Result(catalog.ItemOld); i >= 0 {
		r.checkItem(r.present, r.now, results[i], "content after")
		return
	}
	r.same(r.now, results[load.Result(catalog.Old)], "content after")
	if i := load.Result(catalog.Had); i >= 0 {
		assert.Equal(r.t, r.present, results[i].Bool(), "presence after")
	}
	if i := load.Result(catalog.Err); i >= 0 {
		assert.Equal(r.t, r.present, results[i].IsNil(), "presence after")
	}
}

// same compares; the zero value is that of the type that has it.
func (r *run) same(want, got reflect.Value, msg string) {
	if want.IsZero() && want.Kind() == reflect.Interface {
		want = reflect.Zero(got.Type())
	}
	assert.True(r.t, equal(want, got), "%s: want %v, got %v", msg, want, got)
}

// equal compares the dynamic values; the zero value of an interface is nil.
func equal(a, b reflect.Value) bool {
	x, y := dynamic(a), dynamic(b)
	return x == y
}

func dynamic(v reflect.Value) any {
	if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
		return nil
	}
	return v.Interface()
}

// An operation that the table splits runs its func with no lock held, and
// then overwrites (split store) or keeps (split insert) what came between.
func TestSplitOperations(t *testing.T) {
	tested := 0
	for _, op := range catalog.Default().Ops() {
		if op.Split == 0 || op.Callback == nil || unavailable[op.Type.Pkg] {
			continue
		}
		tested++
		t.Run(op.Type.Pkg+"/"+op.Name, func(t *testing.T) {
			r := newRun(t, op)
			args := r.args(op)
			i := op.Param(catalog.Callback)
			answer := args[i]
			args[i] = reflect.MakeFunc(answer.Type(), func(in []reflect.Value) []reflect.Value {
				r.setUp(true) // another goroutine's store
				return answer.Call(in)
			})
			r.method(op).Call(args)
			r.now = sample(r.value, decided)
			if op.Split == catalog.Insert {
				r.now = sample(r.value, before)
			}
			r.checkContent()
		})
	}
	assert.NotZero(t, tested)
}
