package search

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"reflect"

	"github.com/mapatom/mapatom/checker/history"
)

// Check decides whether the operations are linearizable with respect to the
// model. Rows in the result are indices of ops.
func (m Model[S, I, O]) Check(ctx context.Context, ops []Operation[I, O], o Options) (Result, error) {
	nm, err := m.nondeterministic()
	if err != nil {
		return Result{}, err
	}
	return nm.check(ctx, ops, o, m.step(ops))
}

// CheckStuck decides whether a stuck history is linearizable (Line-Up,
// definition 2): its pending operations are known to be blocked for ever,
// and each of them must be justified by an order of the operations that
// returned, none of the other pending ones having taken effect, after which
// the model says that it blocks.
func (m Model[S, I, O]) CheckStuck(ctx context.Context, ops []Operation[I, O], o Options) (Result, error) {
	nm, err := m.nondeterministic()
	if err != nil {
		return Result{}, err
	}
	return nm.checkStuck(ctx, ops, o, m.step(ops))
}

// Check is Model.Check for a specification that is not deterministic.
func (m NondeterministicModel[S, I, O]) Check(ctx context.Context, ops []Operation[I, O], o Options) (Result, error) {
	if m.Init == nil || m.Step == nil {
		return Result{}, errIncomplete
	}
	return m.check(ctx, ops, o, m.step(ops))
}

// CheckStuck is Model.CheckStuck for a specification that is not
// deterministic. A pending operation is justified if it may block.
func (m NondeterministicModel[S, I, O]) CheckStuck(ctx context.Context, ops []Operation[I, O], o Options) (Result, error) {
	if m.Init == nil || m.Step == nil {
		return Result{}, errIncomplete
	}
	return m.checkStuck(ctx, ops, o, m.step(ops))
}

var errIncomplete = errors.New("the model needs Init and Step")

// nondeterministic gives the model as one that allows several states, but
// for Step, which would need a slice for each of its results.
func (m Model[S, I, O]) nondeterministic() (nm NondeterministicModel[S, I, O], err error) {
	if m.Init == nil || m.Step == nil {
		return nm, errIncomplete
	}
	return NondeterministicModel[S, I, O]{
		Init:    func() []S { return []S{m.Init()} },
		Effects: m.Effects, Equal: m.Equal, Hash: m.Hash, Partition: m.Partition,
		ReadOnly: m.ReadOnly, Blind: m.Blind, Blocks: m.Blocks,
	}, nil
}

// A stepFunc appends the states after a row. Deterministic models have one of
// their own, which makes no slice for each step.
type stepFunc[S any] func(s S, row int32, buf []S) []S

func (m Model[S, I, O]) step(ops []Operation[I, O]) stepFunc[S] {
	return func(s S, row int32, buf []S) []S {
		if next, ok := m.Step(s, ops[row].Input, ops[row].Output); ok {
			return append(buf, next)
		}
		return buf
	}
}

func (m NondeterministicModel[S, I, O]) step(ops []Operation[I, O]) stepFunc[S] {
	return func(s S, row int32, buf []S) []S {
		return append(buf, m.Step(s, ops[row].Input, ops[row].Output)...)
	}
}

// check is Check for both kinds of models.
func (m NondeterministicModel[S, I, O]) check(ctx context.Context, ops []Operation[I, O], o Options, step stepFunc[S]) (Result, error) {
	sp, parts, err := m.prepare(ops, step)
	if err != nil {
		return Result{}, err
	}
	for i := range ops {
		if ops[i].Return == history.Pending && m.Effects == nil {
			return Result{}, fmt.Errorf("operation %d is pending, and the model has no Effects", i)
		}
	}
	j := newJob(sp, parts, o)
	j.run(ctx)
	return j.result(ctx), nil
}

// checkStuck is CheckStuck for both kinds of models. It does not need Effects
// if there is Blocks: pending operations take no effect here.
func (m NondeterministicModel[S, I, O]) checkStuck(ctx context.Context, ops []Operation[I, O], o Options, step stepFunc[S]) (Result, error) {
	sp, parts, err := m.prepare(ops, step)
	if err != nil {
		return Result{}, err
	}
	switch {
	case m.Blocks != nil:
		sp.blocks = func(s S, row int32) bool { return m.Blocks(s, ops[row].Input) }
	case m.Effects != nil:
		sp.blocks = func(s S, row int32) bool { return len(m.Effects(s, ops[row].Input)) == 0 }
	default:
		return Result{}, errors.New("a stuck history needs a model with Blocks or Effects")
	}
	j := newStuckJob(sp, parts, o)
	j.run(ctx)
	return j.result(ctx), nil
}

// prepare makes the spec, and checks what can be checked.
func (m NondeterministicModel[S, I, O]) prepare(ops []Operation[I, O], step stepFunc[S]) (*spec[S], [][]int32, error) {
	sp := &spec[S]{init: m.Init, step: step, call: make([]int64, len(ops)), ret: make([]int64, len(ops))}
	for i := range ops {
		sp.call[i], sp.ret[i] = ops[i].Call, ops[i].Return
		if sp.ret[i] < sp.call[i] {
			return nil, nil, fmt.Errorf("operation %d returns at %d, before its call at %d", i, sp.ret[i], sp.call[i])
		}
	}
	if m.Effects != nil {
		sp.effects = func(s S, row int32, buf []S) []S { return append(buf, m.Effects(s, ops[row].Input)...) }
	}
	sp.traits = m.traits(ops)
	if err := m.compare(sp); err != nil {
		return nil, nil, err
	}
	sp.alike = alikeOperations(ops)
	parts, err := m.split(ops)
	return sp, parts, err
}

// compare sets how states are compared. States without an Equal of the
// user's are compared by ==, which has a hash that goes with it.
func (m NondeterministicModel[S, I, O]) compare(sp *spec[S]) error {
	sp.equal, sp.hash = m.Equal, m.Hash
	if sp.equal == nil {
		if t := reflect.TypeFor[S](); !t.Comparable() {
			return fmt.Errorf("states of type %s cannot be compared with ==: the model needs Equal", t)
		}
		sp.equal = func(a, b S) bool { return any(a) == any(b) }
		if sp.hash == nil {
			seed := maphash.MakeSeed()
			sp.hash = func(s S) uint64 { return maphash.Comparable(seed, any(s)) }
		}
	}
	if sp.hash == nil {
		sp.hash = func(S) uint64 { return 0 }
	}
	// Strings are the one kind of state whose memory can be told without asking.
	if _, ok := any(*new(S)).(string); ok {
		sp.size = func(s S) int64 { return int64(len(any(s).(string))) }
	}
	return nil
}

// traits asks the hints. They are not asked of pending operations, whose
// results mean nothing.
func (m NondeterministicModel[S, I, O]) traits(ops []Operation[I, O]) func(int32, bool) trait {
	return func(row int32, isPending bool) trait {
		op := &ops[row]
		switch {
		case isPending:
			return 0
		case m.ReadOnly != nil && m.ReadOnly(op.Input, op.Output):
			return readOnly
		case m.Blind != nil && m.Blind(op.Input, op.Output):
			return blind
		}
		return 0
	}
}

// alikeOperations compares inputs and outputs, if their types can be.
func alikeOperations[I, O any](ops []Operation[I, O]) *alike {
	if !plain(reflect.TypeFor[I]()) || !plain(reflect.TypeFor[O]()) {
		return nil
	}
	// The seed changes the order of slots only, which nothing depends on.
	seed := maphash.MakeSeed()
	return &alike{
		costly: true,
		hash: func(row int32, isPending bool) uint64 {
			h := maphash.Comparable(seed, any(ops[row].Input))
			if !isPending {
				h = mix(h) ^ maphash.Comparable(seed, any(ops[row].Output))
			}
			return h
		},
		same: func(a, b int32, isPending bool) bool {
			return any(ops[a].Input) == any(ops[b].Input) && (isPending || any(ops[a].Output) == any(ops[b].Output))
		},
	}
}

// plain reports whether values of the type can always be compared: an
// interface may hold one that cannot.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return t.Comparable()
}

// split asks the model for the parts, and checks that it gives every
// operation once.
func (m NondeterministicModel[S, I, O]) split(ops []Operation[I, O]) ([][]int32, error) {
	if m.Partition == nil {
		rows := make([]int32, len(ops))
		for i := range rows {
			rows[i] = int32(i)
		}
		return [][]int32{rows}, nil
	}
	seen := make([]bool, len(ops))
	left := len(ops)
	var parts [][]int32
	for _, part := range m.Partition(ops) {
		rows := make([]int32, len(part))
		for i, at := range part {
			if at < 0 || at >= len(ops) || seen[at] {
				return nil, fmt.Errorf("the model's Partition gives operation %d twice, or there is none", at)
			}
			seen[at], rows[i] = true, int32(at)
			left--
		}
		parts = append(parts, rows)
	}
	if left > 0 {
		return nil, fmt.Errorf("the model's Partition leaves out %d operations", left)
	}
	return parts, nil
}
