package ssaprog

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Who makes an object often leaves a part of that to helpers:
//
//	func load(name string) *table {
//		t := newTable(name)
//		t.addColumns() // nobody else has it yet
//		return t
//	}
//
// What they assign is not changed once it is made.

// changedElsewhere are the types of other modules of which the package has some object changed that
// is made already, by a method that does that by its name. What another package gives is made there.
//
//	c := resty.New()
//	c.SetTimeout(limit) // nobody else has it yet
func (s *summaries) changedElsewhere() map[*types.TypeName]bool {
	if s.elsewhere != nil {
		return s.elsewhere
	}
	s.elsewhere = map[*types.TypeName]bool{}
	setup := newSetup(s.funcs)
	setup.foreign = true
	for _, fn := range s.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					if on, name := calledOn(call.Common()); on != nil && isMutator(name) && s.isElsewhere(on.Type()) && !setup.inMaking(on, 0) {
						s.elsewhere[Named(on.Type())] = true
					}
				}
			}
		}
	}
	return s.elsewhere
}

// calledOn is what a method is called on, and the name of that; nil for any other call.
func calledOn(c *ssa.CallCommon) (on ssa.Value, name string) {
	if c.IsInvoke() {
		return c.Value, c.Method.Name()
	}
	if fn := c.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(c.Args) > 0 {
		return c.Args[0], fn.Name()
	}
	return nil, ""
}

// isElsewhere reports whether a type, or what it points to, is of another module, and not of the
// standard library.
func (s *summaries) isElsewhere(t types.Type) bool {
	obj := Named(t)
	if obj == nil || obj.Pkg() == nil || obj.Pkg() == s.res.pass.Pkg {
		return false
	}
	path, module := obj.Pkg().Path(), s.res.pass.Module
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && (module == nil || path != module.Path && !strings.HasPrefix(path, module.Path+"/"))
}

// setup knows which parameters are always objects that are still being made.
type setup struct {
	calls map[*ssa.Function][]ssa.CallInstruction
	// escaped are functions that are used as values.
	escaped map[*ssa.Function]bool
	params  map[*ssa.Parameter]bool
	// foreign says that what a function of another package gives is taken to be made by it.
	foreign bool
}

func newSetup(funcs []*ssa.Function) *setup {
	s := &setup{calls: map[*ssa.Function][]ssa.CallInstruction{}, escaped: map[*ssa.Function]bool{}, params: map[*ssa.Parameter]bool{}}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s.note(instr)
			}
		}
	}
	return s
}

func (s *setup) note(instr ssa.Instruction) {
	var called *ssa.Function
	if call, ok := instr.(ssa.CallInstruction); ok {
		if called = call.Common().StaticCallee(); called != nil {
			s.calls[called] = append(s.calls[called], call)
		}
	}
	if IsDebugRef(instr) {
		return
	}
	for _, op := range instr.Operands(nil) {
		if fn, ok := (*op).(*ssa.Function); ok && fn != called {
			s.escaped[fn] = true
		}
	}
}

// maxSetup bounds how far an object is followed to where it is made.
const maxSetup = 8

// inMaking reports whether a value is an object that the function makes, or that those who
// call it are making.
func (s *setup) inMaking(v ssa.Value, depth int) bool {
	if depth > maxSetup {
		return false
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return s.inMaking(v.X, depth+1)
	case *ssa.IndexAddr:
		return s.inMaking(v.X, depth+1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return e != ssa.Value(v) && !IsNil(e) && !s.inMaking(e, depth+1) })
	case *ssa.Extract:
		return s.inMaking(v.Tuple, depth+1)
	case *ssa.Call:
		return s.gives(v.Common().StaticCallee(), depth+1)
	case *ssa.Parameter:
		return s.given(v, depth+1)
	}
	return IsMadeHere(v)
}

// fills reports whether a map is that of an object that is still being made.
func (s *setup) fills(m ssa.Value) bool {
	load, ok := m.(*ssa.UnOp)
	return ok && load.Op == token.MUL && s.inMaking(load.X, 0)
}

// gives reports whether a function gives what it has made.
func (s *setup) gives(fn *ssa.Function, depth int) bool {
	made := false
	if fn == nil || s.foreign && len(fn.Blocks) == 0 && fn.Signature.Recv() == nil {
		return fn != nil
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 || IsNil(ret.Results[0]) {
			continue
		}
		if made = s.inMaking(ret.Results[0], depth); !made {
			return false
		}
	}
	return made
}

// given reports whether all who call a function in the package give it what they make.
func (s *setup) given(p *ssa.Parameter, depth int) bool {
	if known, ok := s.params[p]; ok {
		return known
	}
	fn := p.Parent()
	at := slices.Index(fn.Params, p)
	s.params[p] = true // while looking: of a recursion the first call says it
	calls := s.calls[fn]
	s.params[p] = len(calls) > 0 && !s.escaped[fn] && !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		args := call.Common().Args
		_, started := call.(*ssa.Go)
		return started || at >= len(args) || !s.inMaking(args[at], depth)
	})
	return s.params[p]
}
