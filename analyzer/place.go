package analyzer

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/reduce"
)

// variantMark separates, in the key of a call, the function from what makes
// its program one for this call only. No function's name has it.
const variantMark = " @"

// place is p with its calls made ready for Inline: a call of another package's
// function, or of a wrapper, gets a program of its own, in which everything is
// at the position of the call. The operation is the call then, and that is where
// a person looks for it.
func (ps *programs) place(p *reduce.Program) *reduce.Program {
	q := clone(p)
	for _, blk := range q.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == reduce.Call && in.Pos != "" {
				ps.retarget(in)
			}
		}
	}
	return q
}

// retarget gives a call the key of its own program if it needs one.
func (ps *programs) retarget(in *reduce.Instr) {
	key := in.Name
	_, foreign := ps.res.imports[key]
	if !foreign && !ps.isWrapper(key) {
		return
	}
	p := ps.program(key)
	if p == nil {
		return
	}
	in.Name += variantMark + string(in.Pos)
	if _, ok := ps.variants[in.Name]; ok {
		return
	}
	if op, ok := ps.res.calls[in.Pos]; ok {
		if t, known := ps.storedBy(key); known {
			op.stored = t
		}
		ps.res.ops[in.Pos] = op
	}
	ps.variants[in.Name] = ps.place(relocated(p, in.Pos))
}

// storedBy is the type of what a wrapper stores, nil if it stores nothing. It
// is not known of one that is generic, or that stores whatever it gets.
func (ps *programs) storedBy(key string) (stored types.Type, known bool) {
	fn := ps.res.callees[key]
	if fn == nil {
		return nil, !storesValue(ps.program(key))
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	p := ps.inlined(fn)
	if !storesValue(p) {
		return nil, true
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			t := ps.res.ops[blk.Instrs[i].Pos].stored
			if blk.Instrs[i].IsBase() && t != nil {
				_, generic := types.Unalias(t).(*types.TypeParam)
				return t, !generic && !types.IsInterface(t)
			}
		}
	}
	return nil, false
}

// storesValue reports whether a program can make an entry.
func storesValue(p *reduce.Program) bool {
	if p == nil {
		return false
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if (in.Op == reduce.Write || in.Op == reduce.CAS) && in.Args[len(in.Args)-1] != reduce.Absent {
				return true
			}
		}
	}
	return false
}

// lookup is Inline's.
func (ps *programs) lookup(key string) *reduce.Program {
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

// relocated is a copy of p in which everything is at pos.
func relocated(p *reduce.Program, pos reduce.Pos) *reduce.Program {
	q := clone(p)
	relocate(q, pos)
	return q
}

func relocate(p *reduce.Program, pos reduce.Pos) {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Pos = pos
		}
		blk.Term.Pos = pos
	}
}

// clone copies what this package changes in a program: blocks, instructions,
// parameters and names.
func clone(p *reduce.Program) *reduce.Program {
	q := *p
	q.Params, q.Names, q.Cells = slices.Clone(p.Params), slices.Clone(p.Names), slices.Clone(p.Cells)
	q.Blocks = make([]*reduce.Block, len(p.Blocks))
	for i, blk := range p.Blocks {
		b := *blk
		b.Instrs = slices.Clone(blk.Instrs)
		q.Blocks[i] = &b
	}
	return &q
}

// isWrapper reports whether the function makes one operation on a cell that
// its caller names, and nothing else that others could see: a typed Load. It
// may compute, branch and panic.
func (ps *programs) isWrapper(key string) bool {
	if is, ok := ps.wrappers[key]; ok {
		return is
	}
	ps.wrappers[key] = false // a recursive function is none
	fn := ps.res.callees[key]
	if fn == nil || fn.Parent() != nil {
		return false
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if p := ps.lower(fn); p != nil && instrCount(p) <= maxWrapper && ps.mayWrap(p, inlineDepth) {
		ps.wrappers[key] = makesOneCall(ps.inlined(fn))
	}
	return ps.wrappers[key]
}

// maxWrapper bounds the instructions of wrappers, so that not every function
// is inlined to see whether it is one.
const maxWrapper = 60

// mayWrap reports whether the function can turn out to be a wrapper when its
// calls are inlined. It is asked first because most functions cannot, by what
// they or their callees do apart from operations on cells.
func (ps *programs) mayWrap(p *reduce.Program, depth int) bool {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != reduce.Call && !ofWrapper(in.Op) {
				return false
			}
			if in.Op != reduce.Call {
				continue
			}
			callee := ps.program(in.Name)
			if depth == 0 || callee == nil || instrCount(callee) > maxWrapper || !ps.mayWrap(callee, depth-1) {
				return false
			}
		}
	}
	return true
}

// ofWrapper reports whether a wrapper can have such an instruction.
func ofWrapper(op reduce.Op) bool {
	switch op {
	case reduce.Copy, reduce.Pure, reduce.Enter, reduce.Leave, reduce.Read, reduce.Write, reduce.CAS:
		return true
	}
	return false
}

func makesOneCall(p *reduce.Program) bool {
	if p == nil || len(reduce.Loops(p)) > 0 {
		return false
	}
	n := reduce.Number(p)
	at := map[reduce.Pos]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !ofWrapper(in.Op) || in.IsBase() && !fromCaller(p, n, p.Cells[in.Cell].Map) {
				return false
			}
			if in.IsBase() {
				at[in.Pos] = true
			}
		}
	}
	return len(at) == 1
}

// rename gives calls that were not inlined the name that a person reads, and
// numbers their results anew where that makes two sites alike.
func (ps *programs) rename(p *reduce.Program) {
	sites := map[string]bool{}
	var renamed []*reduce.Instr
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != reduce.Effect && in.Op != reduce.Unknown {
				continue
			}
			if name, ok := ps.readable(in); ok {
				in.Name = name
				if in.Op == reduce.Unknown {
					renamed = append(renamed, in)
				}
			} else if in.Op == reduce.Unknown {
				sites[in.Name] = true
			}
		}
	}
	for _, in := range renamed {
		base, k := in.Name, 1
		for sites[base+"#"+itoa(k)] {
			k++
		}
		in.Name = base + "#" + itoa(k)
		sites[in.Name] = true
	}
}

// readable is the name for the key that an opaque call is named after, without
// the number of its site.
func (ps *programs) readable(in *reduce.Instr) (string, bool) {
	key := in.Name
	if in.Op == reduce.Unknown {
		if i := strings.LastIndexByte(key, '#'); i >= 0 {
			key = key[:i]
		}
	}
	key, _, _ = strings.Cut(key, variantMark)
	name, ok := ps.res.names[key]
	return name, ok
}
