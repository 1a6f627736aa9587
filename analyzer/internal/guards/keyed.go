package guards

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A type can have a lock for each key:
//
//	func (m *MutexMap) Lock(key string) {
//		m.mu.Lock()
//		l, ok := m.items[key]
//		if !ok { l = new(sync.Mutex); m.items[key] = l }
//		m.mu.Unlock()
//		l.Lock()
//	}
//
// To those who use it that is a lock of the object and the key. That nobody takes an entry away
// which somebody else has is up to the type, and is looked at there.

// keyed finds what methods do that take or give back a lock which a parameter chooses.
type keyed struct {
	locks Locks
	// mapOf is the map that a call asks for an entry; nil if it is another call.
	mapOf func(ssa.CallInstruction) ssa.Value
	local func(*ssa.Function) *ssa.Function
}

// maxChosen bounds how far it is followed how a lock is chosen.
const maxChosen = 12

// opOf is what a method does to the lock of one of its parameters; false if it does no such thing.
func (k keyed) opOf(fn *ssa.Function) (ObjectOp, bool) {
	if receiverOf(fn) == nil {
		return ObjectOp{}, false
	}
	for i, p := range fn.Params[1:] {
		if op, ok := opOf(fn, k.events(fn, k.choice(fn.Params[0], p))); ok && op.When == Always {
			op.Key = i + 1
			return op, true
		}
	}
	return ObjectOp{}, false
}

// events are what a method does to the locks that are chosen so.
func (k keyed) events(fn *ssa.Function, by choice) []event {
	var out []event
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if lc, ok := k.locks(call); ok && by.chooses(lc.Mutex, maxChosen) {
				if lc.Shared {
					return nil
				}
				out = append(out, event{instr: call, release: lc.Release, perhaps: lc.Release})
			}
		}
	}
	return out
}

// choice is how a lock is chosen: by a key, out of what an object has.
type choice struct {
	keyed
	object, key ssa.Value
	// chosen and computed are what was found out of values so far.
	chosen, computed map[ssa.Value]known
}

// known is what was found out of a value, and how far it was followed for that.
type known struct {
	is    bool
	depth int
}

func (k keyed) choice(object, key ssa.Value) choice {
	return choice{keyed: k, object: object, key: key, chosen: map[ssa.Value]known{}, computed: map[ssa.Value]known{}}
}

// once is what was found out of a value, or is found out now if it was not followed as far before: there are loops
// in which each value has many others before it.
func once(found map[ssa.Value]known, v ssa.Value, depth int, find func() bool) bool {
	if k, ok := found[v]; ok && (k.is || k.depth >= depth) {
		return k.is
	}
	found[v] = known{depth: depth}
	is := find()
	found[v] = known{is, depth}
	return is
}

// chooses reports whether a value is one that the key chooses.
func (c choice) chooses(v ssa.Value, depth int) bool {
	return v != nil && depth > 0 && once(c.chosen, v, depth, func() bool { return c.isChosen(v, depth) })
}

func (c choice) isChosen(v ssa.Value, depth int) bool {
	again := func(v ssa.Value) bool { return c.chooses(v, depth-1) }
	switch v := v.(type) {
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, again)
	case *ssa.Extract:
		return again(v.Tuple)
	case *ssa.TypeAssert:
		return again(v.X)
	case *ssa.MakeInterface:
		return again(v.X)
	case *ssa.ChangeInterface:
		return again(v.X)
	case *ssa.FieldAddr:
		return again(v.X)
	case *ssa.UnOp:
		return v.Op == token.MUL && again(v.X)
	case *ssa.Lookup:
		return c.has(v.X, depth) && c.follows(v.Index, depth)
	case *ssa.IndexAddr:
		return c.has(v.X, depth) && c.follows(v.Index, depth)
	case *ssa.Call:
		return c.called(v, depth)
	}
	return false
}

// called reports whether a call gives what the key chooses.
func (c choice) called(call *ssa.Call, depth int) bool {
	args := call.Call.Args
	key := slices.IndexFunc(args, func(arg ssa.Value) bool { return c.follows(arg, depth-1) })
	if m := c.mapOf(call); m != nil {
		return key >= 0 && c.has(m, depth)
	}
	callee := c.local(call.Call.StaticCallee())
	object := slices.IndexFunc(args, func(arg ssa.Value) bool { return arg == c.object })
	if callee == nil || key < 0 || object < 0 {
		return false
	}
	in := c.choice(callee.Params[object], callee.Params[key])
	return all(returnsOf(callee), func(r *ssa.Return) bool {
		return len(r.Results) > 0 && in.chooses(r.Results[0], depth-1)
	})
}

// has reports whether a value is a part of the object, or what that leads to.
func (c choice) has(v ssa.Value, depth int) bool {
	for range depth {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Slice:
			v = x.X
		}
	}
	return v == c.object
}

// follows reports whether a value is the key, or is computed from it, as a hash is.
func (c choice) follows(v ssa.Value, depth int) bool {
	if v == c.key {
		return true
	}
	instr, ok := v.(ssa.Instruction)
	if _, isPhi := v.(*ssa.Phi); !ok || isPhi || depth <= 0 {
		return false
	}
	return once(c.computed, v, depth, func() bool { return c.isComputed(instr, depth) })
}

func (c choice) isComputed(instr ssa.Instruction, depth int) bool {
	for _, op := range instr.Operands(nil) {
		if *op != nil && (c.follows(*op, depth-1) || c.isTold(*op, depth-1)) {
			return true
		}
	}
	return false
}

// isTold reports whether the key is given to a method of an object, such as a hash.
func (c choice) isTold(v ssa.Value, depth int) bool {
	if _, isCall := v.(*ssa.Call); !isCall {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		call, ok := ref.(*ssa.Call)
		return ok && slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool { return arg != v && c.follows(arg, depth-1) })
	})
}
