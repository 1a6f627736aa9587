package reduce

import "github.com/mapatom/mapatom/internal/reduce/register"

// Whole is a program that several regions are cut out of, and what each of them has to
// know of it: found once, when it is first asked for. It is several times as large as
// the program, and nothing to keep.
type Whole struct {
	p     *register.Program
	flow  func() *register.Flow
	terms func() *register.Numbering
	tree  func() []int // of dominators
	loops func() []register.Loop
	preds func() [][]int
	// open are the sections under Enter that each block begins in.
	open   func() []register.EnterState
	live   func() *register.Liveness
	copies func() []*register.Copies
	defs   func() *definitions
}

// NewWhole prepares p. Later changes of it are not seen.
func NewWhole(p *register.Program) *Whole {
	return &Whole{
		p:      p,
		flow:   of(p, register.NewFlow),
		terms:  of(p, register.Number),
		tree:   of(p, register.Dominators),
		loops:  of(p, register.Loops),
		preds:  of(p, register.Preds),
		open:   of(p, register.OpenEnters),
		live:   of(p, register.Live),
		copies: of(p, register.AnsweredOnEntry),
		defs:   of(p, findDefinitions),
	}
}

// of finds something about a program once. (sync.OnceValue is for several goroutines.)
func of[T any](p *register.Program, find func(*register.Program) T) func() T {
	var found T
	done := false
	return func() T {
		if !done {
			found, done = find(p), true
		}
		return found
	}
}

// definitions are what assigns the locals of a program.
type definitions struct {
	// count is how often each local is assigned, but for the value that it has before; in
	// and block say by what and where the last time.
	count []int
	in    []*register.Instr
	block []int
	// several are the blocks that assign a local which more than one instruction does.
	several map[register.Local][]int
}

func findDefinitions(p *register.Program) *definitions {
	d := &definitions{
		count: register.DefCounts(p), in: make([]*register.Instr, len(p.Names)), block: make([]int, len(p.Names)),
		several: map[register.Local][]int{},
	}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			in.Defs(func(l register.Local) {
				if in.Op == register.Unknown && in.Name == register.Undef {
					d.count[l]-- // where it has no other value, nothing asks for it
					return
				}
				if d.count[l] > 1 {
					d.several[l] = append(d.several[l], b)
				}
				d.in[l], d.block[l] = in, b
			})
		}
	}
	return d
}
