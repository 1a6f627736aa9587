package ssaprog

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// variantMark separates, in the key of a call, the function from what makes
// its program one for this call only. No function's name has it.
const variantMark = " @"

// place is p with its calls made ready for Inline: a call of another package's
// function, or of a wrapper, gets a program of its own, in which everything is
// at the position of the call. The operation is the call then, and that is where
// a person looks for it.
func (ps *Programs) place(p *register.Program) *register.Program {
	q := p.Clone()
	for _, blk := range q.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.Call && !in.Pos.IsZero() {
				ps.retarget(in)
			}
		}
	}
	return q
}

// retarget gives a call the key of its own program if it needs one.
func (ps *Programs) retarget(in *register.Instr) {
	key := in.Name
	_, foreign := ps.Res.imports[key]
	if !foreign && !ps.isWrapper(key) {
		return
	}
	p := ps.program(key)
	if p == nil {
		return
	}
	in.Name += variantMark + in.Pos.String()
	if _, ok := ps.variants[in.Name]; ok {
		return
	}
	if op, ok := ps.Res.calls[in.Pos]; ok {
		if t, known := ps.storedBy(key); known {
			op.Stored = t
		}
		ps.Res.ops[in.Pos] = op
	}
	ps.variants[in.Name] = ps.place(relocated(p, in.Pos))
}

// storedBy is the type of what a wrapper stores, nil if it stores nothing. It
// is not known of one that is generic, or that stores whatever it gets.
func (ps *Programs) storedBy(key string) (stored types.Type, known bool) {
	fn := ps.Res.callees[key]
	if fn == nil {
		return nil, !storesValue(ps.program(key))
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	p := ps.Inlined(fn)
	if !storesValue(p) {
		return nil, true
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			t := ps.Res.ops[blk.Instrs[i].Pos].Stored
			if blk.Instrs[i].IsBase() && t != nil {
				_, generic := types.Unalias(t).(*types.TypeParam)
				return t, !generic && !types.IsInterface(t)
			}
		}
	}
	return nil, false
}

// storesValue reports whether a program can make an entry.
func storesValue(p *register.Program) bool {
	if p == nil {
		return false
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if (in.Op == register.Write || in.Op == register.CAS) && in.Args[len(in.Args)-1] != register.Absent {
				return true
			}
		}
	}
	return false
}

// lookup is Inline's.
func (ps *Programs) lookup(key string) *register.Program {
	if p, ok := ps.variants[key]; ok {
		return p
	}
	p := ps.program(key)
	if p != nil {
		p = ps.place(p)
	}
	ps.variants[key] = p
	return p
}

// Refused are the functions that a program calls and does not have inlined, for their
// size or depth.
func (ps *Programs) Refused(p *register.Program) (fns []*ssa.Function) {
	for _, key := range p.Refused {
		key, _, _ = strings.Cut(key, variantMark)
		fn := ps.Res.callees[key]
		if fn != nil && fn.Origin() != nil {
			fn = fn.Origin()
		}
		if fn != nil {
			fns = append(fns, fn)
		}
	}
	return fns
}

// relocated is a copy of p in which everything is at pos.
func relocated(p *register.Program, pos register.Pos) *register.Program {
	q := p.Clone()
	relocate(q, pos)
	return q
}

func relocate(p *register.Program, pos register.Pos) {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Pos = pos
		}
		blk.Term.Pos = pos
	}
}

// isWrapper reports whether the function makes one operation on a cell that
// its caller names, and nothing else that others could see: a typed Load. It
// may compute, branch and panic.
func (ps *Programs) isWrapper(key string) bool {
	if is, ok := ps.wrappers[key]; ok {
		return is
	}
	ps.wrappers[key] = false // a recursive function is none
	fn := ps.Res.callees[key]
	if fn == nil || fn.Parent() != nil {
		return false
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if p := ps.lower(fn); p != nil && p.Size() <= maxWrapper && ps.mayWrap(p, inlineDepth) {
		ps.wrappers[key] = makesOneCall(ps.Inlined(fn))
	}
	return ps.wrappers[key]
}

// maxWrapper bounds the instructions of wrappers, so that not every function
// is inlined to see whether it is one.
const maxWrapper = 60

// mayWrap reports whether the function can turn out to be a wrapper when its
// calls are inlined. It is asked first because most functions cannot, by what
// they or their callees do apart from operations on cells.
func (ps *Programs) mayWrap(p *register.Program, depth int) bool {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Call {
				if !ofWrapper(in) {
					return false
				}
				continue
			}
			callee := ps.program(in.Name)
			if depth == 0 || callee == nil || callee.Size() > maxWrapper || !ps.mayWrap(callee, depth-1) {
				return false
			}
		}
	}
	return true
}

// ofWrapper reports whether a wrapper can have such an instruction. Of locks it can
// have those that guard its cell.
func ofWrapper(in *register.Instr) bool {
	switch in.Op {
	case register.Lock, register.Unlock:
		return in.Guard
	case register.Copy, register.Pure, register.Enter, register.Leave, register.Read, register.Write, register.CAS:
		return true
	}
	return false
}

func makesOneCall(p *register.Program) bool {
	if p == nil || len(register.Loops(p)) > 0 {
		return false
	}
	n := register.Number(p)
	at := map[register.Pos]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !ofWrapper(in) && !ofSection(p, in) || in.IsBase() && !fromCaller(p, n, p.Cells[in.Cell].Map) {
				return false
			}
			if in.IsBase() {
				at[in.Pos] = true
			}
		}
	}
	return len(at) == 1 || inSection(p)
}

// ofSection reports whether an instruction takes or releases the lock of a function
// of which all that it touches is guarded.
func ofSection(p *register.Program, in *register.Instr) bool {
	if in.Op != register.Lock && in.Op != register.Unlock {
		return false
	}
	return len(p.Cells) > 0 && !slices.ContainsFunc(p.Cells, func(c register.Cell) bool { return !c.Guarded })
}

// inSection reports whether all that a function does to a cell is one critical
// section.
func inSection(p *register.Program) bool {
	all := register.Accesses(p)
	return len(p.Cells) == 1 && p.Cells[0].Guarded && len(all) == 1
}

// rename gives calls that were not inlined the name that a person reads, and
// numbers their results anew where that makes two sites alike.
func (ps *Programs) rename(p *register.Program) {
	sites := map[string]bool{}
	var renamed []*register.Instr
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Effect && in.Op != register.Unknown {
				continue
			}
			if name, ok := ps.readable(in); ok {
				in.Name = name
				*in = in.AsCall()
				if in.Op == register.Unknown {
					renamed = append(renamed, in)
				}
			} else if in.Op == register.Unknown {
				sites[in.Name] = true
			}
		}
	}
	for _, in := range renamed {
		base, k := in.Name, 1
		for sites[base+"#"+Itoa(k)] {
			k++
		}
		in.Name = base + "#" + Itoa(k)
		sites[in.Name] = true
	}
}

// readable is the name for the key that an opaque call is named after, without
// the number of its site.
func (ps *Programs) readable(in *register.Instr) (string, bool) {
	key := in.Name
	if in.Op == register.Unknown {
		if i := strings.LastIndexByte(key, '#'); i >= 0 {
			key = key[:i]
		}
	}
	key, _, _ = strings.Cut(key, variantMark)
	name, ok := ps.Res.names[key]
	return name, ok
}
