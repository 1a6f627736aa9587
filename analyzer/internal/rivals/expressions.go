package rivals

import (
	"maps"
	"math/bits"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

const (
	// maxConstants bounds a set: one with more of them is anything.
	maxConstants = 8
	// maxTuples bounds the arguments for which a function is evaluated.
	maxTuples = 64
)

// constants are the literals that something can be; nil is anything.
type constants []register.Value

// someObject stands for an object among constants, a new one or another: which one it is, or of which
// type, is not known.
const someObject register.Value = "{object}"

// none is what is nothing yet.
var none = constants{}

func (c constants) isAny() bool { return c == nil }

func (c constants) has(v register.Value) bool { return c.isAny() || slices.Contains(c, v) }

// or is what either can be.
func (c constants) or(d constants) constants {
	if c.isAny() || d.isAny() {
		return nil
	}
	out := slices.Clone(c)
	for _, v := range d {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) > maxConstants {
		return nil
	}
	return append(none, out...)
}

func literal(v register.Value) constants { return constants{v} }

var anyTruth = constants{register.LitFalse, register.LitTrue}

// known are the locals of which it is known what they can be. Of others nothing is.
type known map[register.Local]constants

func truthOf(b bool) register.Value {
	if b {
		return register.LitTrue
	}
	return register.LitFalse
}

func (k known) of(o register.Operand) constants {
	if o.IsLit() {
		return literal(register.Value(o.Lit))
	}
	return k[o.Local]
}

// join is what is known where two ways meet, and whether it is other than k, which is nil
// before the first.
func (k known) join(from known) (known, bool) {
	if k == nil {
		return maps.Clone(from), true
	}
	changed := false
	for l, c := range k {
		both := c.or(from[l])
		if changed = changed || len(both) != len(c); both.isAny() {
			delete(k, l)
		} else {
			k[l] = both
		}
	}
	return k, changed
}

func (k known) clone() known { return maps.Clone(k) }

func (k known) set(l register.Local, c constants) {
	switch {
	case l == register.None:
	case c.isAny():
		delete(k, l)
	default:
		k[l] = c
	}
}

// isOnly reports whether something is nothing but v, of which there is one.
func isOnly(c constants, v register.Value) bool {
	return len(c) == 1 && c[0] == v && v != someObject
}

// expressions are the locals of a program that are calculated in one place, from what is assigned in one
// place: their values have to do with each other.
//
//	x := choose(is int(v), v, 0) // is never nil, though v may be
type expressions struct {
	def  map[register.Local]*register.Instr // what calculates a local
	once map[register.Local]bool
	at   map[*register.Instr]register.Ref // where it does so
	// assigned says in which blocks a local is assigned.
	assigned map[register.Local]map[int]bool
}

func newExpressions(p *register.Program) expressions {
	e := expressions{
		def: map[register.Local]*register.Instr{}, once: map[register.Local]bool{},
		at: map[*register.Instr]register.Ref{}, assigned: map[register.Local]map[int]bool{},
	}
	defs := register.DefCounts(p)
	for _, l := range p.Params {
		e.once[l] = defs[l] == 1
	}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			e.at[in] = register.Ref{Block: b, Instr: i}
			in.Defs(func(l register.Local) {
				e.once[l] = defs[l] == 1
				if e.assigned[l] == nil {
					e.assigned[l] = map[int]bool{}
				}
				e.assigned[l][b] = true
			})
			if in.Op == register.Pure && register.Interpreted[in.Name] && len(in.Dst) == 1 && defs[in.Dst[0]] == 1 {
				e.def[in.Dst[0]] = in
			}
		}
	}
	return e
}

// maxDepth bounds how far a local is followed to what it is calculated from.
const maxDepth = 8

// leaves are what an instruction calculates from in the end; false if that may be something else each time. What is assigned
// on several ways is the same for all that is calculated in a block after them, which home is, or -1.
//
//	v := zero; if ok { v = found }
//	m.Store(k, choose(v == nil, other, v)) // never stores nil
func (e expressions) leaves(in *register.Instr, home, depth int) (out []register.Local, ok bool) {
	here := e.at[in]
	for _, a := range in.Args {
		if a.IsLit() {
			continue
		}
		more := []register.Local{a.Local}
		if def := e.def[a.Local]; def != nil {
			inside := home
			if from := e.at[def]; from.Block != here.Block || from.Instr >= here.Instr {
				inside = -1
			}
			if more, ok = e.leaves(def, inside, depth+1); !ok || depth == maxDepth {
				return nil, false
			}
		} else if !e.once[a.Local] && (here.Block != home || e.assigned[a.Local][home]) {
			return nil, false
		}
		for _, l := range more {
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out, true
}

// evaluate is what an interpreted function gives.
func (e expressions) evaluate(in *register.Instr, k known) constants {
	loose := evaluate(in, k)
	leaves, ok := e.leaves(in, e.at[in].Block, 0)
	if !ok || len(leaves) == 0 {
		return loose
	}
	tuples := []known{{}}
	for _, l := range leaves {
		if k[l].isAny() || len(tuples)*len(k[l]) > maxTuples {
			return loose
		}
		var longer []known
		for _, t := range tuples {
			for _, v := range k[l] {
				u := maps.Clone(t)
				u[l] = literal(v)
				longer = append(longer, u)
			}
		}
		tuples = longer
	}
	out := none
	for _, t := range tuples {
		out = out.or(e.value(in, t))
	}
	return out.and(loose)
}

// value is evaluate for some values of the leaves, and notes what is calculated on the way.
func (e expressions) value(in *register.Instr, k known) constants {
	for _, a := range in.Args {
		if def := e.def[a.Local]; !a.IsLit() && def != nil && k[a.Local].isAny() {
			k.set(a.Local, e.value(def, k))
		}
	}
	return evaluate(in, k)
}

// narrow drops the values of what a condition is calculated from for which it is not as it is.
func (e expressions) narrow(k known, cond register.Local, is register.Value) {
	in := e.def[cond]
	if in == nil {
		return
	}
	leaves, ok := e.leaves(in, -1, 0)
	if !ok || len(leaves) != 1 || k[leaves[0]].isAny() {
		return
	}
	l := leaves[0]
	k.set(l, slices.DeleteFunc(slices.Clone(k[l]), func(v register.Value) bool { return !e.value(in, known{l: literal(v)}).has(is) }))
}

// and is what both can be.
func (c constants) and(d constants) constants {
	switch {
	case c.isAny():
		return d
	case d.isAny():
		return c
	}
	return append(none, slices.DeleteFunc(slices.Clone(c), func(v register.Value) bool { return !slices.Contains(d, v) })...)
}

// evaluate is what an interpreted function gives, whatever its arguments have to do with each other.
func evaluate(in *register.Instr, k known) constants {
	if in.Name == "choose" {
		return chosen(k.of(in.Args[0]), k.of(in.Args[1]), k.of(in.Args[2]))
	}
	if in.Name == "and" && k.of(in.Args[0]).isAny() {
		return parts(k.of(in.Args[1]))
	}
	args := make([]constants, len(in.Args))
	tuples := [][]register.Value{nil}
	for i, o := range in.Args {
		args[i] = k.of(o)
		if args[i].isAny() || len(tuples)*len(args[i]) > maxTuples {
			return nil
		}
		var longer [][]register.Value
		for _, t := range tuples {
			for _, v := range args[i] {
				longer = append(longer, append(slices.Clone(t), v))
			}
		}
		tuples = longer
	}
	out := none
	for _, t := range tuples {
		v := fold(in, t)
		if v.isAny() {
			return nil
		}
		out = out.or(v)
	}
	return out
}

// parts are what there can be of any number under a mask.
func parts(mask constants) constants {
	if len(mask) != 1 {
		return nil
	}
	m, err := strconv.ParseUint(string(mask[0]), 10, 63)
	if err != nil || bits.OnesCount64(m) > maxMask {
		return nil
	}
	out := literal("0")
	for part := m; part != 0; part = (part - 1) & m {
		out = append(out, register.Value(strconv.FormatUint(part, 10)))
	}
	return out
}

// maxMask is how many bits a mask has at most of which all parts are constants: as many as maxConstants.
const maxMask = 3

// chosen is a where cond is true, and b where it is false.
func chosen(cond, a, b constants) constants {
	switch {
	case !cond.has(register.LitFalse):
		return a
	case !cond.has(register.LitTrue):
		return b
	}
	return a.or(b)
}

// fold is evaluate for some arguments. A new object is nothing that the program writes down.
func fold(in *register.Instr, args []register.Value) constants {
	if slices.Contains(args, someObject) {
		switch {
		case in.Name != "eq":
			return nil
		case args[0] != args[1]:
			return literal(register.LitFalse)
		}
		return anyTruth
	}
	v, ok, err := register.Fold(in.Name, in.Type, args)
	if err != nil || !ok {
		return nil
	}
	return literal(v)
}
